<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: GPL-2.0-or-later -->
<!-- report.xsl: the page that `profmem html` writes, as a stylesheet over a view of the report.

     THE VIEW (made by reports/lib/pr_html_*.c; every text is ready to be shown)

       page          command, generator, has-baseline; tables, phases: how many have tables, how
                     many there are, is-bounded: that is not all. Holds styles, script, data, then
                     sections
       styles        text; sha256: of it, in base64. script likewise
       data          text: JSON, see below
       section       id: head, explanation (with a baseline only), phases, timeline, memory,
                     functions, mix, histograms, threads, coverage, in this order. explanation has
                     also changed, more: phases that changed, and those of them left out
       fact          label; text, old: what holds in this run, in the baseline
       diagnostic    severity, code, count, phase, text
       phase         name; in the section of phases kind, parent, outside, is-incomplete,
                     is-overlapping. Holds tables and nothing
       nothing       title, text, reason: instead of a table
       table         caption, about; interval: in instructions; more: rows left out. Holds column,
                     row and note
       column        title; kind: text, number, share, change
       row           kind: rest (what has no row of its own), all, unlike, new, gone; depth: in a
                     tree; is-guessed
       cell          name: untrusted; text: ours; metric: that the name is of; place; number;
                     scaled: in larger units; share, bar: of a whole, the bar in thousandths; mark:
                     of a note; unstable: by how much; is-incomplete, is-overlapping; old, change,
                     change-scaled, relative, direction (more, less, same). Holds chain
       chain         title; holds frame: function, place, object, is-inlined, times
       note          mark, lead, text
       phase-change  name, description; is: new, gone. Holds changed, unlisted, histogram
       changed       a metric: name, unit, number or reason, old or old-reason, change and its like,
                     is-moved, range, old-range. Holds part: change, direction, kind, is-guessed,
                     what, rest
       unlisted      name, in: old, new: a metric that this report lacks
       histogram     name: one that changed
       metric        name, unit, meaning

     A flag, is-*, is there, as "yes", or it is not.

     THE DATA FOR THE SCRIPT, in script#profmem-data of type application/json

       {"report": R, "baseline": B or null, "difference": D or null}

     R and B are what `profmem export` writes as json (docs/reading-reports.md), all of it.
     A metric has its exact digits as "text"; any other number above 2^53 stands as digits in the
     object "exact" beside it, under the same name. D says what is the same in both:

       phases      [[old, new], ...]: indices in B.phases and R.phases, or null
       sites       [[old, new, guessed, unit], ...]: ids, or null; each id stands here once.
       functions   Entries of the same unit, a number, are one and the same thing, whose numbers
                   add up. guessed: not paired by the same name, but by likeness

     THE ELEMENTS THAT THE SCRIPT MAY RELY ON

       body                          gets the class "scripted" from it
       section#ID                    for each of the sections above
       div.view[data-view=ID]        in phases, timeline, memory, functions, mix, histograms and
                                     threads: hidden and empty; it fills it and shows it
       details.tables                behind it, open: the tables, which stay
       nav                           links to the sections

     Colors are custom properties of :root in report.css, for light and dark: paper, ink, muted,
     line, accent, more, less, series-1 to series-8, each behind two hyphens. The policy of the
     page allows no style attributes and no handlers in markup; a script may set element.style.
-->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">

<xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

<!-- The page ================================================================= -->

<xsl:template match="page">
  <html lang="en">
    <head>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-{script/@sha256}'; style-src 'sha256-{styles/@sha256}'; base-uri 'none'; form-action 'none'"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="generator" content="{@generator}"/>
      <meta name="referrer" content="no-referrer"/>
      <title><xsl:value-of select="@command"/> - profmem</title>
      <style><xsl:value-of select="styles"/></style>
    </head>
    <body>
      <a class="skip" href="#main">Skip to the report</a>
      <header>
        <p class="producer"><xsl:value-of select="@generator"/></p>
        <h1><bdi><xsl:value-of select="@command"/></bdi></h1>
        <xsl:if test="@has-baseline">
          <p>Compared with a baseline: each number stands above the one that it was before.</p>
        </xsl:if>
      </header>
      <nav aria-label="Sections">
        <ul>
          <xsl:apply-templates select="section" mode="link"/>
        </ul>
      </nav>
      <main id="main">
        <xsl:apply-templates select="section"/>
      </main>
      <script type="application/json" id="profmem-data"><xsl:value-of select="data"/></script>
      <script><xsl:value-of select="script"/></script>
    </body>
  </html>
</xsl:template>

<xsl:template match="section" mode="link">
  <li><a href="#{@id}"><xsl:apply-templates select="." mode="title"/></a></li>
</xsl:template>

<xsl:template match="section[@id='head']" mode="title">Run</xsl:template>
<xsl:template match="section[@id='explanation']" mode="title">What changed</xsl:template>
<xsl:template match="section[@id='phases']" mode="title">Phases</xsl:template>
<xsl:template match="section[@id='timeline']" mode="title">Timeline</xsl:template>
<xsl:template match="section[@id='memory']" mode="title">Memory</xsl:template>
<xsl:template match="section[@id='functions']" mode="title">Functions</xsl:template>
<xsl:template match="section[@id='mix']" mode="title">Mix</xsl:template>
<xsl:template match="section[@id='histograms']" mode="title">Histograms</xsl:template>
<xsl:template match="section[@id='threads']" mode="title">Threads</xsl:template>
<xsl:template match="section[@id='coverage']" mode="title">Coverage</xsl:template>

<!-- What a section is about ================================================== -->

<xsl:template match="section" mode="about"/>

<xsl:template match="section[@id='phases']" mode="about">
  <p>Requested heap at the begin, at the peak and at the end of each phase; what the phase itself
  needed at once (scratch); instructions, and the allocator's share of them; what was obtained and
  resized (traffic). A peak of several instances is the highest of them, never their sum.</p>
</xsl:template>

<xsl:template match="section[@id='timeline']" mode="about">
  <p>Requested bytes that were live in the course of the run, over its instructions: the most in
  each interval, and what was left at its end.</p>
</xsl:template>

<xsl:template match="section[@id='memory']" mode="about">
  <p>Call chains that obtained memory. A chain is told by the innermost functions that are the
  program's own; it opens to show all of its frames, innermost first.</p>
</xsl:template>

<xsl:template match="section[@id='functions']" mode="about">
  <p>Instructions that a function executed itself, without those of the functions it called.</p>
</xsl:template>

<xsl:template match="section[@id='mix']" mode="about">
  <p>What kind the instructions were. The classes overlap, so they do not add up to the total; each
  stands above its share of the phase's instructions.</p>
</xsl:template>

<xsl:template match="section[@id='histograms']" mode="about">
  <p>Sizes of the blocks that were obtained or resized, and lifetimes, in instructions, of those
  that were obtained and given back inside the phase.</p>
</xsl:template>

<xsl:template match="section[@id='threads']" mode="about">
  <p>Threads by what they executed in the phase, numbered in the order of their creation.</p>
</xsl:template>

<!-- Sections ================================================================= -->

<!-- Those that the script adds a view to. -->
<xsl:template match="section">
  <section id="{@id}" aria-labelledby="{@id}-title">
    <h2 id="{@id}-title"><xsl:apply-templates select="." mode="title"/></h2>
    <xsl:apply-templates select="." mode="about"/>
    <div class="view" data-view="{@id}" hidden="hidden"></div>
    <details class="tables" open="open">
      <summary>Tables</summary>
      <xsl:apply-templates select="*[not(self::phase)]"/>
      <xsl:if test="phase and /page/@is-bounded">
        <p class="bounded">
          <xsl:text>Of </xsl:text>
          <xsl:value-of select="/page/@phases"/>
          <xsl:text> phases these are </xsl:text>
          <xsl:value-of select="/page/@tables"/>
          <xsl:text>; </xsl:text>
          <code>profmem html --phases</code>
          <xsl:text> shows more.</xsl:text>
        </p>
      </xsl:if>
      <xsl:apply-templates select="phase"/>
    </details>
  </section>
</xsl:template>

<xsl:template match="section[@id='head' or @id='explanation' or @id='coverage']">
  <section id="{@id}" aria-labelledby="{@id}-title">
    <h2 id="{@id}-title"><xsl:apply-templates select="." mode="title"/></h2>
    <xsl:apply-templates select="." mode="content"/>
  </section>
</xsl:template>

<!-- The first one of a section is open. -->
<xsl:template match="phase">
  <details class="phase">
    <xsl:if test="not(preceding-sibling::phase)">
      <xsl:attribute name="open">open</xsl:attribute>
    </xsl:if>
    <summary><h3>phase <xsl:apply-templates select="@name" mode="name"/></h3></summary>
    <xsl:apply-templates select="." mode="about"/>
    <xsl:apply-templates/>
  </details>
</xsl:template>

<xsl:template match="phase" mode="about">
  <xsl:if test="@kind or @parent or @is-incomplete or @is-overlapping">
    <p>
      <xsl:if test="@kind">declared by <bdi><xsl:value-of select="@kind"/></bdi></xsl:if>
      <xsl:if test="@parent">, within <xsl:apply-templates select="@parent" mode="name"/></xsl:if>
      <xsl:call-template name="flags"/>
    </p>
  </xsl:if>
  <xsl:if test="@outside">
    <p>From outside, which can make numbers differ from run to run: <xsl:value-of select="@outside"/></p>
  </xsl:if>
</xsl:template>

<xsl:template name="flags">
  <xsl:if test="@is-incomplete"><xsl:text> </xsl:text><span class="flag">not complete: it did not end in the declared way</span></xsl:if>
  <xsl:if test="@is-overlapping"><xsl:text> </xsl:text><span class="flag">overlapping: sums count shared work once per instance</span></xsl:if>
</xsl:template>

<xsl:template match="@*" mode="name">
  <bdi><xsl:value-of select="."/></bdi>
</xsl:template>

<!-- A name of nothing is one, too. -->
<xsl:template match="@*[normalize-space(.) = '']" mode="name">
  <xsl:text>'</xsl:text>
  <bdi><xsl:value-of select="."/></bdi>
  <xsl:text>'</xsl:text>
</xsl:template>

<xsl:template match="nothing">
  <p class="nothing">
    <span class="title"><xsl:value-of select="@title"/></span>
    <xsl:text>: </xsl:text>
    <xsl:value-of select="@text"/>
    <xsl:if test="@reason">: <bdi><xsl:value-of select="@reason"/></bdi></xsl:if>
  </p>
</xsl:template>

<!-- The run ================================================================== -->

<xsl:template match="section[@id='head']" mode="content">
  <xsl:if test="diagnostic">
    <ul class="diagnostics" aria-label="What the tool noticed">
      <xsl:apply-templates select="diagnostic[@severity = 'error']"/>
      <xsl:apply-templates select="diagnostic[@severity = 'warning']"/>
      <xsl:apply-templates select="diagnostic[@severity != 'error' and @severity != 'warning']"/>
    </ul>
  </xsl:if>
  <dl class="facts">
    <xsl:apply-templates select="fact"/>
  </dl>
  <p class="limits">Requested heap is what the program asked for. The allocator's own overhead,
  resident and device memory are other quantities, and not in the report. Instruction counts
  explain what a program does; they are no statement on its latency.</p>
  <xsl:apply-templates select="table"/>
</xsl:template>

<xsl:template match="fact">
  <dt><xsl:value-of select="@label"/></dt>
  <dd>
    <bdi><xsl:value-of select="@text"/></bdi>
    <xsl:if test="not(@text)">not recorded</xsl:if>
    <xsl:if test="/page/@has-baseline and (@text != @old or not(@text) or not(@old))">
      <span class="old">
        <xsl:text>before: </xsl:text>
        <bdi><xsl:value-of select="@old"/></bdi>
        <xsl:if test="not(@old)">not recorded</xsl:if>
      </span>
    </xsl:if>
  </dd>
</xsl:template>

<xsl:template match="diagnostic">
  <li>
    <xsl:if test="@severity = 'error' or @severity = 'warning'">
      <xsl:attribute name="class"><xsl:value-of select="@severity"/></xsl:attribute>
    </xsl:if>
    <strong><xsl:value-of select="@severity"/></strong>
    <xsl:text> </xsl:text>
    <code><xsl:value-of select="@code"/></code>
    <xsl:text>, </xsl:text>
    <xsl:value-of select="@count"/>
    <xsl:text>x</xsl:text>
    <xsl:if test="@phase">, phase <xsl:apply-templates select="@phase" mode="name"/></xsl:if>
    <xsl:text>: </xsl:text>
    <bdi><xsl:value-of select="@text"/></bdi>
  </li>
</xsl:template>

<!-- What changed ============================================================= -->

<xsl:template match="section[@id='explanation']" mode="content">
  <xsl:apply-templates select="table"/>
  <xsl:if test="@changed = '0'"><p>No number differs.</p></xsl:if>
  <xsl:apply-templates select="phase-change"/>
  <xsl:if test="@more">
    <p class="bounded">
      <xsl:value-of select="@more"/>
      <xsl:text> more changed phases are not shown here; </xsl:text>
      <code>profmem html --phases</code>
      <xsl:text> shows more.</xsl:text>
    </p>
  </xsl:if>
</xsl:template>

<xsl:template match="phase-change">
  <details class="phase">
    <xsl:if test="not(preceding-sibling::phase-change[5])">
      <xsl:attribute name="open">open</xsl:attribute>
    </xsl:if>
    <summary>
      <h3>phase <xsl:apply-templates select="@name" mode="name"/>
        <xsl:value-of select="@description"/>
      </h3>
    </summary>
    <xsl:apply-templates select="changed"/>
    <xsl:if test="unlisted[@in = 'old']">
      <p>Not listed in the baseline: <xsl:apply-templates select="unlisted[@in = 'old']"/></p>
    </xsl:if>
    <xsl:if test="unlisted[@in = 'new']">
      <p>Not listed in this report: <xsl:apply-templates select="unlisted[@in = 'new']"/></p>
    </xsl:if>
    <xsl:if test="histogram">
      <p>Changed, too: <xsl:apply-templates select="histogram"/>
      (<a href="#histograms">histograms</a>).</p>
    </xsl:if>
  </details>
</xsl:template>

<!-- One that only one of the reports has; its numbers stand among the phases. -->
<xsl:template match="phase-change[@is]">
  <h3 class="phase">phase <xsl:apply-templates select="@name" mode="name"/>: <xsl:value-of select="@is"/></h3>
</xsl:template>

<xsl:template match="unlisted | histogram">
  <xsl:if test="position() > 1">, </xsl:if>
  <bdi><xsl:value-of select="@name"/></bdi>
</xsl:template>

<xsl:template match="changed">
  <div class="changed">
    <h4>
      <bdi><xsl:value-of select="@name"/></bdi>
      <xsl:text> </xsl:text>
      <xsl:apply-templates select="@change"/>
      <xsl:if test="@is-moved"><xsl:text> </xsl:text><span class="change same">moved</span></xsl:if>
    </h4>
    <p>
      <xsl:value-of select="@old"/>
      <xsl:if test="@old-reason">unavailable (<bdi><xsl:value-of select="@old-reason"/></bdi>)</xsl:if>
      <xsl:text> &#8594; </xsl:text>
      <xsl:value-of select="@number"/>
      <xsl:if test="@reason">unavailable (<bdi><xsl:value-of select="@reason"/></bdi>)</xsl:if>
      <xsl:text> </xsl:text>
      <xsl:value-of select="@unit"/>
      <xsl:if test="@range">
        <xsl:text>; of single instances: </xsl:text>
        <xsl:value-of select="@old-range"/>
        <xsl:text> &#8594; </xsl:text>
        <xsl:value-of select="@range"/>
      </xsl:if>
    </p>
    <xsl:if test="part">
      <div class="table" tabindex="0" role="region" aria-label="what accounts for {@name}">
        <table>
          <caption class="hidden">what accounts for <xsl:value-of select="@name"/></caption>
          <thead class="hidden">
            <tr>
              <th scope="col">change</th>
              <th scope="col">kind</th>
              <th scope="col">which</th>
              <th scope="col">before and now</th>
            </tr>
          </thead>
          <tbody>
            <xsl:apply-templates select="part"/>
          </tbody>
        </table>
      </div>
    </xsl:if>
  </div>
</xsl:template>

<xsl:template match="part">
  <tr>
    <td class="number"><xsl:apply-templates select="@change"/></td>
    <td class="kind"><xsl:value-of select="@kind"/></td>
    <th scope="row"><xsl:call-template name="guess"/><bdi><xsl:value-of select="@what"/></bdi></th>
    <td><bdi><xsl:value-of select="@rest"/></bdi></td>
  </tr>
</xsl:template>

<xsl:template name="guess">
  <xsl:if test="@is-guessed"><abbr class="guess" title="a guess: paired by likeness">~</abbr></xsl:if>
</xsl:template>

<!-- Its sign says as much as its color. -->
<xsl:template match="@change">
  <span class="change {../@direction}">
    <xsl:value-of select="."/>
    <xsl:if test="../@change-scaled"> (<xsl:value-of select="../@change-scaled"/>)</xsl:if>
    <xsl:if test="../@relative"><xsl:text> </xsl:text><xsl:value-of select="../@relative"/></xsl:if>
  </span>
</xsl:template>

<!-- Coverage ================================================================= -->

<xsl:template match="section[@id='coverage']" mode="content">
  <xsl:apply-templates select="table | nothing"/>
  <details class="glossary">
    <summary><h3>What the metrics mean</h3></summary>
    <dl>
      <xsl:apply-templates select="metric"/>
    </dl>
  </details>
</xsl:template>

<xsl:template match="metric">
  <dt id="metric-{@name}"><xsl:value-of select="@name"/></dt>
  <dd><xsl:value-of select="@meaning"/>, in <xsl:value-of select="@unit"/></dd>
</xsl:template>

<!-- Tables =================================================================== -->

<xsl:template match="table">
  <div class="table" tabindex="0" role="region" aria-label="{@caption}">
    <table>
      <xsl:if test="row/cell/@metric"><xsl:attribute name="class">metrics</xsl:attribute></xsl:if>
      <caption>
        <xsl:value-of select="@caption"/>
        <xsl:if test="@about">, <xsl:value-of select="@about"/></xsl:if>
        <xsl:if test="@interval">, in intervals of <xsl:value-of select="@interval"/> instructions</xsl:if>
      </caption>
      <thead>
        <tr>
          <xsl:apply-templates select="column"/>
        </tr>
      </thead>
      <tbody>
        <xsl:apply-templates select="row"/>
      </tbody>
    </table>
  </div>
  <xsl:if test="@more"><p class="bounded"><xsl:value-of select="@more"/> more are not shown.</p></xsl:if>
  <xsl:if test="note">
    <ul class="notes">
      <xsl:apply-templates select="note"/>
    </ul>
  </xsl:if>
</xsl:template>

<xsl:template match="note">
  <li>
    <xsl:value-of select="@mark"/>
    <xsl:text> </xsl:text>
    <xsl:value-of select="@lead"/>
    <bdi><xsl:value-of select="@text"/></bdi>
  </li>
</xsl:template>

<xsl:template match="column">
  <th scope="col" class="{@kind}"><xsl:value-of select="@title"/></th>
</xsl:template>

<xsl:template match="row">
  <tr>
    <xsl:if test="@kind">
      <xsl:attribute name="class"><xsl:value-of select="@kind"/></xsl:attribute>
    </xsl:if>
    <xsl:apply-templates select="cell"/>
  </tr>
</xsl:template>

<!-- The kind of the column that it is in. -->
<xsl:template match="cell">
  <xsl:variable name="place" select="position()"/>
  <td class="{../../column[$place]/@kind}"><xsl:call-template name="content"/></td>
</xsl:template>

<xsl:template match="cell[1]">
  <th scope="row" class="{../../column[1]/@kind}">
    <xsl:if test="../@depth > 0">
      <xsl:attribute name="class">text depth-<xsl:value-of select="../@depth"/></xsl:attribute>
    </xsl:if>
    <xsl:if test="not(chain)">
      <xsl:for-each select=".."><xsl:call-template name="guess"/></xsl:for-each>
    </xsl:if>
    <xsl:call-template name="content"/>
    <xsl:if test="../@kind = 'new' or ../@kind = 'gone'">
      <span class="flag"><xsl:value-of select="../@kind"/></span>
    </xsl:if>
    <xsl:call-template name="flags"/>
  </th>
</xsl:template>

<xsl:template name="content">
  <xsl:value-of select="@text"/>
  <xsl:if test="@text and @name"><xsl:text> </xsl:text></xsl:if>
  <xsl:choose>
    <xsl:when test="chain">
      <details class="chain">
        <summary>
          <span class="short">
            <xsl:for-each select=".."><xsl:call-template name="guess"/></xsl:for-each>
            <bdi><xsl:value-of select="@name"/></bdi>
          </span>
        </summary>
        <xsl:apply-templates select="chain"/>
      </details>
    </xsl:when>
    <xsl:when test="@metric">
      <a href="#metric-{@metric}"><xsl:value-of select="@name"/></a>
    </xsl:when>
    <xsl:otherwise><xsl:apply-templates select="@name" mode="name"/></xsl:otherwise>
  </xsl:choose>
  <xsl:if test="@place"><bdi><xsl:value-of select="@place"/></bdi></xsl:if>
  <xsl:value-of select="@number"/>
  <xsl:if test="@mark"><xsl:text> </xsl:text><span class="mark"><xsl:value-of select="@mark"/></span></xsl:if>
  <xsl:if test="@scaled"><xsl:text> </xsl:text><span class="second"><xsl:value-of select="@scaled"/></span></xsl:if>
  <xsl:if test="@unstable">differs by <xsl:value-of select="@unstable"/></xsl:if>
  <xsl:if test="@share"><xsl:text> </xsl:text><span class="share"><xsl:value-of select="@share"/></span></xsl:if>
  <xsl:if test="@bar">
    <svg class="meter" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect width="{@bar}" height="10"></rect></svg>
  </xsl:if>
  <xsl:choose>
    <xsl:when test="@old and @direction = 'same'">
      <xsl:text> </xsl:text>
      <span class="change same">unchanged</span>
    </xsl:when>
    <xsl:otherwise>
      <xsl:if test="@old"><xsl:text> </xsl:text><span class="old">was <xsl:value-of select="@old"/></span></xsl:if>
      <xsl:if test="@change"><xsl:text> </xsl:text></xsl:if>
      <xsl:apply-templates select="@change"/>
    </xsl:otherwise>
  </xsl:choose>
</xsl:template>

<xsl:template match="chain">
  <xsl:if test="@title"><p><xsl:value-of select="@title"/></p></xsl:if>
  <ol>
    <xsl:apply-templates select="frame"/>
  </ol>
</xsl:template>

<xsl:template match="frame">
  <li>
    <bdi><xsl:value-of select="@function"/></bdi>
    <xsl:text> </xsl:text>
    <span class="place">
      <xsl:if test="@place"><bdi><xsl:value-of select="@place"/></bdi><xsl:text> </xsl:text></xsl:if>
      <xsl:text>in </xsl:text>
      <bdi><xsl:value-of select="@object"/></bdi>
      <xsl:if test="@is-inlined">, inlined</xsl:if>
      <xsl:if test="@times">, <xsl:value-of select="@times"/> frames</xsl:if>
    </span>
  </li>
</xsl:template>

</xsl:stylesheet>
