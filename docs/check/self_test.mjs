// The check, checked: sites with one mistake each, which must be found.

import {appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {checkSite} from './site.mjs';

/// Mistakes that the browser must find: a text at the end of a page, and what the check must say of that page.
const inTheBrowser = [
  ['docs/notation.md', 'A formula $\\nosuchmacro{x}$.', 'formula error'],
  ['docs/glossary.md', '<a href="nowhere.html">A dead link.</a>', 'dead link: nowhere.html'],
  ['docs/conventions.md', '<a href="notation.html#nowhere">A dead anchor.</a>', 'no such anchor'],
  ['docs/sources.md', 'Raw TeX: \\\\frac{1}{2}.', 'raw TeX'],
  ['docs/bibliography.md', '<img src="https://example.org/x.png" alt="from elsewhere" />', 'request leaves the site'],
  ['docs/reference.md', '<div style="width:900px">Too wide for a phone.</div>', 'at 390 px'],
  ['docs/proving.md', '<span style="color:#bbbbbb">Pale on white.</span>', 'axe, light'],
];

/// Mistakes that the build must find: a file, the text that is replaced (or nothing: at the end), its replacement, and what
/// the build must say.
const inTheBuild = [
  ['docs/notation.md', '', 'See law 1.99.', 'there is no law 1.99'],
  ['docs/notation.md', '', 'See law 99.1.', 'there is no law 99.1'],
  ['docs/notation.md', '', 'See chapter 99.', 'there is no chapter 99'],
  ['docs/notation.md', '', 'See exercise 1.99.', 'there is no exercise 1.99'],
  ['docs/proving.md', '', '**Exercise 0.99** ★ Why?', 'exercise 0.99 has no solution'],
  ['docs/proving.md', '**Exercise 0.1**', '**Exercise 3.99**', 'exercise 3.99 is not one of this page'],
  ['docs/notation.md', '', '[A file](nowhere.md).', 'the link nowhere.md leads nowhere'],
  ['docs/notation.md', '', '[A section](proving.md#nowhere).', 'has no heading #nowhere'],
  ['docs/notation.md', '', 'See [a test](../tests/test_edges.cpp "nowhere").', 'has no test case “nowhere”'],
  ['docs/notation.md', '', 'It was in the year\n2008. Then came another.', 'would begin a list'],
  ['docs/notation.md', '', 'A formula $\\operatorname{f}$.', 'git hosts refuse'],
  ['docs/notation.md', '', '[loops](../src/multihead/loops/softmax.hpp "nowhere")', 'no part that is marked'],
  ['chapters/01-softmax/README.md', '> **Law 1.4**', '> **Law 1.44**', 'has no law object'],
  ['chapters/01-softmax/README.md', '> **Law 1.4** [permuted-columns]', '> **Law 1.4** [permuted]', 'is called permuted'],
  ['chapters/01-softmax/README.md', '*Proof.* Both sides', 'Both sides', 'law 1.5 has no proof'],
  ['tests/test_softmax.cpp', 'TEST_CASE("1.5 odds")', 'TEST_CASE("odds")', 'law 1.5 odds has no TEST_CASE'],
  ['src/multihead/laws/softmax.hpp', '{"1.7", "two-scores"}', '{"1.9", "two-scores"}', 'law 1.7 two-scores has no law object'],
  ['src/multihead/scalar.hpp', '/// \\f$e^x\\f$.', '', 'has no comment'],
];

/// Returns whether every mistake was found. `make(builder, site)` builds a site and returns what it said against it.
export async function selfTest(root, make, native) {
  const folder = mkdtempSync(join(tmpdir(), 'multihead-check-'));
  let good = true;
  const report = (found, what) => {
    console.log(`${found ? 'found' : 'NOT FOUND'}: ${what}`);
    good &&= found;
  };
  try {
    const copy = (name) => {
      const to = join(folder, name);
      for (const part of ['docs', 'chapters', 'src', 'tests', 'Doxyfile'])
        cpSync(join(root, part), join(to, part), {recursive: true, filter: (path) => !path.includes('node_modules')});
      return to;
    };

    const broken = copy('browser');
    for (const [file, text] of inTheBrowser) appendFileSync(join(broken, file), `\n${text}\n`);
    const site = join(folder, 'site');
    const said = make(join(broken, 'docs/site/build.py'), site);
    report(said === '', `a site to look at${said && `: ${said}`}`);
    if (said === '') {
      const name = (file) => file.replace(/^docs\/(.*)\.md$/, '$1.html');
      const errors = await checkSite(site, native, inTheBrowser.map(([file]) => name(file)));
      for (const [file, text, expected] of inTheBrowser)
        report(errors.some(([page, error]) => page === name(file) && error.includes(expected)), `${expected}: ${text}`);
    }

    const changed = copy('build');
    for (const [file, from, to, expected] of inTheBuild) {
      const path = join(changed, file);
      const before = readFileSync(path, 'utf8');
      if (!before.includes(from)) {
        report(false, `${file} does not contain ${from}`);
        continue;
      }
      writeFileSync(path, from ? before.replace(from, to) : `${before}\n${to}\n`);
      report(make(join(changed, 'docs/site/build.py'), join(folder, 'none')).includes(expected), expected);
      writeFileSync(path, before);
    }
  } finally {
    rmSync(folder, {recursive: true});
  }
  return good;
}
