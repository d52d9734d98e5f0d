// All pages of a site, and the links between them.

import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {checkPage, newPage} from './page.mjs';
import {launch} from './tools.mjs';

const AT_ONCE = 3;

/// Checks the pages of the folder `site`, or only those named. Returns errors as [page, sentence].
export async function checkSite(site, native, only) {
  const pages = only ?? readdirSync(site).filter((name) => name.endsWith('.html'));
  const browser = await launch();
  const looked = {};
  const waiting = [...pages];
  const look = async () => {
    const page = await newPage(browser);
    for (let name = waiting.shift(); name; name = waiting.shift())
      looked[name] = await checkPage(page, site, name, native);
  };
  await Promise.all(Array.from({length: AT_ONCE}, look));
  const errors = pages.flatMap((name) => looked[name].errors.map((error) => [name, error]));
  for (const name of pages)
    for (const link of new Set(looked[name].links)) {
      const dead = deadLink(site, name, link, looked);
      if (dead) errors.push([name, `dead link: ${link} (${dead})`]);
    }
  errors.push(...(await withoutScripts(browser, site, pages)));
  await browser.close();
  return errors;
}

function deadLink(site, from, link, looked) {
  if (/^(https?|mailto):/.test(link)) return '';
  if (/^\w+:/.test(link)) return 'of an unknown kind';
  const [file, fragment] = link.split('#').map(decodeURIComponent);
  const target = file || from;
  if (!existsSync(join(site, target))) return 'no such file';
  if (!fragment) return '';
  const ids = looked[target]?.ids ?? idsOf(join(site, target));
  return ids.includes(fragment) ? '' : 'no such anchor';
}

const idsRead = {};
function idsOf(path) {
  idsRead[path] ??= [...readFileSync(path, 'utf8').matchAll(/\b(?:id|name)="([^"]*)"/g)].map((found) => found[1]);
  return idsRead[path];
}

// Without JavaScript a live figure is a picture.
async function withoutScripts(browser, site, pages) {
  const errors = [];
  const page = await (await browser.newContext({javaScriptEnabled: false})).newPage();
  for (const name of pages) {
    if (!readFileSync(join(site, name), 'utf8').includes('data-live=')) continue;
    await page.goto(`file://${join(site, name)}`);
    const figures = await page.locator('[data-live]').count();
    const pictures = await page.locator('[data-live] svg[role="img"]').count();
    if (figures !== pictures) errors.push([name, `without JavaScript ${pictures} of ${figures} live figures are pictures`]);
  }
  return errors;
}
