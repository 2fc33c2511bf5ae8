<?xml version="1.0" encoding="UTF-8"?>
<!-- SPDX-License-Identifier: GPL-2.0-or-later -->
<!-- report.xsl: the page that `profmem html` writes, as a stylesheet over a view of the report.

     THE VIEW (made by reports/lib/pr_html_*.c; every text is ready to be shown)

       page          command, generator; holds styles, script, data, then sections
       styles        text; sha256: of it, in base64. script likewise
       data          text: JSON, see below
       section       id: head, explanation (with a baseline only), phases, timeline, memory,
                     functions, mix, histograms, threads, coverage, in this order
       fact          label; text, old: what holds in this run, in the baseline
       fixed         name, value: what was held fixed
       diagnostic    severity, code, count, phase, text
       table         caption; holds column, row and note elements
       column        title, kind: text, number
       row           kind: rest, for what has no row of its own; depth: in a tree
       cell          name: untrusted; text: ours; number: exact; scaled: in larger units;
                     share, bar: of a whole, the bar in thousandths; mark: of a note;
                     old, change, change-scaled, relative, direction (more, less, same)
       note          mark, lead, text

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
      <title>profmem: <xsl:value-of select="@command"/></title>
      <style><xsl:value-of select="styles"/></style>
    </head>
    <body>
      <a class="skip" href="#main">Skip to the report</a>
      <header>
        <h1>profmem <bdi><xsl:value-of select="@command"/></bdi></h1>
        <nav aria-label="Sections">
          <ul>
            <xsl:apply-templates select="section" mode="link"/>
          </ul>
        </nav>
      </header>
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

<!-- Sections ================================================================= -->

<!-- Those that the script adds a view to. -->
<xsl:template match="section">
  <section id="{@id}" aria-labelledby="{@id}-title">
    <h2 id="{@id}-title"><xsl:apply-templates select="." mode="title"/></h2>
    <div class="view" data-view="{@id}" hidden="hidden"/>
    <details class="tables" open="open">
      <summary>Tables</summary>
      <xsl:apply-templates/>
    </details>
  </section>
</xsl:template>

<xsl:template match="section[@id='head' or @id='explanation' or @id='coverage']">
  <section id="{@id}" aria-labelledby="{@id}-title">
    <h2 id="{@id}-title"><xsl:apply-templates select="." mode="title"/></h2>
    <xsl:apply-templates select="." mode="content"/>
  </section>
</xsl:template>

<xsl:template match="section" mode="content">
  <xsl:apply-templates/>
</xsl:template>

<xsl:template match="section[@id='head']" mode="content">
  <xsl:if test="diagnostic">
    <ul class="diagnostics">
      <xsl:apply-templates select="diagnostic"/>
    </ul>
  </xsl:if>
  <dl class="facts">
    <xsl:apply-templates select="fact"/>
  </dl>
  <xsl:apply-templates select="table"/>
</xsl:template>

<xsl:template match="fact">
  <dt><xsl:value-of select="@label"/></dt>
  <dd><bdi><xsl:value-of select="@text"/></bdi></dd>
</xsl:template>

<xsl:template match="diagnostic">
  <li class="{@severity}">
    <strong><xsl:value-of select="@severity"/></strong>
    <xsl:text> </xsl:text>
    <code><bdi><xsl:value-of select="@code"/></bdi></code>
    <xsl:text> </xsl:text>
    <xsl:value-of select="@count"/>
    <xsl:text>x </xsl:text>
    <bdi><xsl:value-of select="@text"/></bdi>
  </li>
</xsl:template>

<!-- Tables =================================================================== -->

<xsl:template match="table">
  <div class="table" tabindex="0">
    <table>
      <caption><xsl:value-of select="@caption"/></caption>
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
</xsl:template>

<xsl:template match="column">
  <th scope="col" class="{@kind}"><xsl:value-of select="@title"/></th>
</xsl:template>

<xsl:template match="row">
  <tr>
    <xsl:apply-templates select="cell"/>
  </tr>
</xsl:template>

<xsl:template match="cell">
  <td><xsl:apply-templates select="." mode="content"/></td>
</xsl:template>

<xsl:template match="cell[1]">
  <th scope="row"><xsl:apply-templates select="." mode="content"/></th>
</xsl:template>

<xsl:template match="cell" mode="content">
  <bdi><xsl:value-of select="@name"/></bdi>
  <xsl:value-of select="@text"/>
  <xsl:value-of select="@number"/>
</xsl:template>

</xsl:stylesheet>
