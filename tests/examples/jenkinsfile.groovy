// SPDX-License-Identifier: GPL-2.0-or-later
// jenkinsfile.groovy: runs a declarative Jenkinsfile here, as Jenkins does, as far as the
// recipe goes: what it does not know is an error.
//
//   groovy jenkinsfile.groovy FILE SCRIPTS [PARAMETER=true...]
//
// Each script of a step is a file in SCRIPTS and run in this folder by `sh -xe`; what is kept
// goes to artifacts/. What the junit step reads must be there. The status is 0, or 1 if the
// build fails.
import org.codehaus.groovy.control.CompilerConfiguration

// Sections that hold others, and settings that do nothing here.
abstract class Pipeline extends Script {
   static String scripts
   static Map params = [:]
   static boolean failed = false
   static int number = 0

   def environment = [:]
   def post

   void within(Closure body) {
      body.resolveStrategy = Closure.DELEGATE_FIRST
      body.delegate = this
      body()
   }

   void pipeline(Closure body) {
      within(body)
      if (post)
         within(post)
   }
   void agent(Closure body) { within(body) }
   void docker(Closure body) { within(body) }
   void image(String name) {}
   void args(String options) {}
   void parameters(Closure body) { within(body) }
   void booleanParam(Map settings) {
      if (!params.containsKey(settings.name))
         params[settings.name] = settings.defaultValue
   }
   void environment(Closure body) {
      body.resolveStrategy = Closure.DELEGATE_ONLY
      body.delegate = environment
      body()
   }
   void stages(Closure body) { within(body) }
   void post(Closure body) { post = body }
   void always(Closure body) { within(body) }

   // A stage: its condition and its steps. A failed one ends the others.
   def condition
   def steps
   void stage(String name, Closure body) {
      condition = null
      steps = null
      within(body)
      if (failed || (condition != null && !condition()))
         return
      println "== $name"
      try {
         within(steps)
      } catch (Failed ignored) {
         failed = true
      }
   }
   void when(Closure body) { within(body) }
   void expression(Closure body) { condition = body }
   void steps(Closure body) { steps = body }

   // Steps.
   static class Failed extends Exception {}

   void sh(String script) {
      if (sh(script: script, returnStatus: true) != 0)
         throw new Failed()
   }
   int sh(Map how) {
      assert how.returnStatus && how.script && how.size() == 2
      def file = new File(scripts, "${number++}.sh")
      file.text = how.script
      def builder = new ProcessBuilder('sh', '-xe', file.path).inheritIO()
         .redirectInput(new File('/dev/null'))
      environment.each { builder.environment()[it.key] = it.value.toString() }
      builder.start().waitFor()
   }
   void junit(Map how) {
      assert how.keySet() == ['testResults', 'allowEmptyResults'] as Set
      assert how.allowEmptyResults || new File(how.testResults).exists()
   }
   void archiveArtifacts(Map how) {
      assert ['artifacts', 'allowEmptyArchive'].containsAll(how.keySet())
      def here = new File('.').canonicalFile.toPath()
      def patterns = how.artifacts.split(', ').collect {
         java.nio.file.FileSystems.default.getPathMatcher("glob:$it")
      }
      def found = []
      here.toFile().eachFileRecurse {
         def path = here.relativize(it.toPath())
         if (patterns.any { it.matches(path) })
            found << path
      }
      assert found || how.allowEmptyArchive
      found.each {
         def to = here.resolve('artifacts').resolve(it)
         to.parent.toFile().mkdirs()
         java.nio.file.Files.copy(here.resolve(it), to)
      }
   }
}

Pipeline.scripts = args[1]
new File(args[1]).mkdirs()
args.drop(2).each { Pipeline.params[it.split('=')[0]] = it.split('=')[1] == 'true' }
def settings = new CompilerConfiguration(scriptBaseClass: Pipeline.name)
new GroovyShell(this.class.classLoader, new Binding(), settings).evaluate(new File(args[0]))
System.exit(Pipeline.failed ? 1 : 0)
