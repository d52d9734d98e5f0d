// One page of the site, looked at in a browser. What is wrong with it comes back as sentences.

import {pathToFileURL} from 'node:url';
import {join} from 'node:path';

import {axe} from './tools.mjs';
import {useFigures} from './figures.mjs';

const WIDTHS = [1440, 1280, 390];
const THEMES = ['light', 'dark'];
// What another theme can change.
const COLOURS = ['color-contrast', 'link-in-text-block'];

/// A page of the browser, to be used for one page of the site after the other.
export async function newPage(browser) {
  return (await browser.newContext()).newPage();
}

/// Loads site/name and checks it. `native` maps a live figure to the program with the same C++.
/// Returns {errors, ids, links}: links and ids for the check across pages.
export async function checkPage(page, site, name, native) {
  const errors = [];
  const home = pathToFileURL(site).href;
  await page.setViewportSize({width: WIDTHS[0], height: 900});
  await page.emulateMedia({colorScheme: THEMES[0]});
  page.on('console', (message) => errors.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => errors.push(`script error: ${error.message}`));
  page.on('requestfailed', (request) => errors.push(`request failed: ${request.url()}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(home) && !url.startsWith('data:') && !url.startsWith('blob:'))
      errors.push(`request leaves the site: ${url}`);
  });

  await page.goto(pathToFileURL(join(site, name)).href);
  try {
    await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, {timeout: 20000});
  } catch {
    errors.push('the page was not ready after 20 seconds');
  }
  errors.push(...(await page.evaluate(formulas)));
  errors.push(...(await page.evaluate(rawText)));
  const {ids, links} = await page.evaluate(linksAndIds);

  await page.evaluate(axe.source);
  for (const theme of THEMES) {
    await page.emulateMedia({colorScheme: theme});
    for (const violation of await page.evaluate(accessibility, theme === THEMES[0] ? null : COLOURS))
      errors.push(`axe, ${theme}: ${violation}`);
  }
  errors.push(...(await useFigures(page, native)));
  for (const width of WIDTHS) {
    await page.setViewportSize({width, height: 900});
    const wider = await page.evaluate(overflow);
    if (wider) errors.push(`at ${width} px: ${wider}`);
  }
  page.removeAllListeners();
  return {errors, ids, links};
}

function formulas() {
  const wrong = document.querySelectorAll('.mjx-merror, .MathJax_Error, merror, [data-mathml*="<merror"]');
  return [...new Set([...wrong].map((node) => `formula error: ${node.closest('p, li, td')?.textContent.slice(0, 80)}`))];
}

// Dollars, backslashes before words, and \( \[ in the text of a page outside of code and formulas; and stars of emphasis.
function rawText() {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const kept = 'code, pre, .fragment, script, style, svg, .mjx-chtml, .MathJax_Preview, .MJX_Assistive_MathML';
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent;
    if (/\$|\\[([]|\\[a-zA-Z]{2,}|\\f\b/.test(text) && !walker.currentNode.parentElement.closest(kept))
      found.push(`raw TeX: ${text.trim().slice(0, 80)}`);
    if (/(^|\s)\*+[^\s*]/.test(text) && !walker.currentNode.parentElement.closest(kept))
      found.push(`raw Markdown: ${text.trim().slice(0, 80)}`);
  }
  return found;
}

function linksAndIds() {
  return {
    ids: [...document.querySelectorAll('[id], a[name]')].flatMap((node) => [node.id, node.getAttribute('name')]).filter(Boolean),
    links: [...document.querySelectorAll('a[href], area[href]')].map((node) => node.getAttribute('href')),
  };
}

// Serious and critical findings of axe. Left out: the glyphs of formulas, which have their MathML beside them, and, but on
// the front page, the many coloured words of code.
async function accessibility(rules) {
  const code = location.pathname.endsWith('/index.html') ? [] : ['.fragment .line'];
  const exclude = ['.mjx-math', ...code].filter((part) => document.querySelector(part));
  const {violations} = await window.axe.run(
    {include: ['html'], exclude},
    {resultTypes: ['violations'], preload: false, ...(rules && {runOnly: {type: 'rule', values: rules}})},
  );
  return violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, help, nodes}) => `${help} (${id}): ${nodes[0].html.slice(0, 160)}${nodes.length > 1 ? ` and ${nodes.length - 1} more` : ''}`);
}

function overflow() {
  const root = document.documentElement;
  if (root.scrollWidth <= window.innerWidth) return '';
  const widest = [...document.querySelectorAll('main *')].find(
    (node) => node.getBoundingClientRect().right > window.innerWidth + 1 && !node.closest('.scrolls, .wide, pre, .fragment'),
  );
  return `the page is ${root.scrollWidth} px wide: ${widest?.outerHTML.slice(0, 120)}`;
}
