// browser.mjs --all|--self-test PYTHON BUILD.PY BUILD LIVE.js... -- NAME=PROGRAM...
// Builds the site and looks at all of it in a browser; or shows that this look finds what is wrong.

import {spawnSync} from 'node:child_process';
import {resolve} from 'node:path';

import './tools.mjs';
import {checkSite} from './site.mjs';
import {selfTest} from './self_test.mjs';

const [mode, python, script, build, ...rest] = process.argv.slice(2);
const end = rest.indexOf('--');
const live = rest.slice(0, end).map((name) => resolve(name));
const native = Object.fromEntries(rest.slice(end + 1).map((pair) => pair.split('=')).map(([name, path]) => [name, resolve(path)]));

/// Builds a site. Returns what build.py said, or '' if it was content.
function make(builder, site) {
  const run = spawnSync(python, ['-B', builder, build, site, ...live], {encoding: 'utf8'});
  return run.status === 0 ? '' : run.stdout + run.stderr;
}

if (mode === '--self-test') process.exit((await selfTest(resolve(script, '../../..'), make, native)) ? 0 : 1);

const site = resolve(build, 'docs', 'checked-site');
const said = make(script, site);
if (said) {
  console.log(said);
  process.exit(1);
}
const errors = await checkSite(site, native);
for (const [page, error] of errors) console.log(`${page}: ${error}`);
console.log(errors.length ? `${errors.length} errors` : 'nothing to complain about');
process.exit(errors.length ? 1 : 0);
