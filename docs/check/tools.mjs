// What the checks need and a reader's machine may not have: playwright-core, axe-core and chromium.

import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {resolve} from 'node:path';

/// The exit status by which Meson knows that a test was skipped.
const SKIPPED = 77;

function skip(reason) {
  console.log(reason);
  process.exit(SKIPPED);
}

const folder = resolve(process.env.MULTIHEAD_NODE ?? import.meta.dirname);
const require = createRequire(resolve(folder, 'package.json'));

function load(name, through) {
  try {
    return through ? createRequire(require.resolve(through))(name) : require(name);
  } catch {
    return skip(`the npm package ${through ?? name} is not in ${folder} (npm install playwright-core @axe-core/playwright)`);
  }
}

const {chromium} = load('playwright-core');
export const axe = load('axe-core', '@axe-core/playwright');

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!executablePath) skip('there is no chromium (apt-get install chromium)');

export function launch() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({executablePath, args: [...args, '--disable-sync', '--no-first-run']});
}
