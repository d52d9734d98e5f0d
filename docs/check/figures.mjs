// Live figures, used as a reader would, and their numbers compared with those of the same C++ on this machine.

import {spawnSync} from 'node:child_process';

/// What a reader would do with each figure. `same` compares all numbers that are shown with a native run; call it after
/// every step. `refuses` writes into a field what is not a number.
const use = {
  async softmax({page, figure, same, refuses, texts}) {
    await same('as it stands');
    const before = await texts();
    await drag(page, figure.locator('[data-score="6"]'), 0, -40);
    await same('after a drag');
    const after = await texts();
    if (after === before) throw new Error('the drag has changed nothing');
    await press(figure.getByLabel('Temperature T'), 'ArrowRight', 7);
    await same('at another temperature');
    const weights = await figure.locator('td [data-out]').allTextContents();
    await press(figure.getByLabel('Add to all scores'), 'ArrowRight', 13);
    await same('with all scores shifted');
    const shifted = await figure.locator('td [data-out]').allTextContents();
    if (String(weights) !== String(shifted)) throw new Error('a shift has moved a weight');
    await press(figure.getByLabel('Score of key 2 for query 3'), 'ArrowUp', 3);
    await same('after the arrow keys in a field');
    await refuses(figure.getByLabel('Score of key 1 for query 1'), ['abc', '', '1e999', '1,5']);
  },

  async head({page, figure, same, refuses, texts}) {
    await same('as it stands');
    const before = await texts();
    await drag(page, figure.locator('circle[data-key="2"]'), 40, -30);
    await same('after a drag of a key');
    const after = await texts();
    if (after === before) throw new Error('the drag has changed nothing');
    await drag(page, figure.locator('[data-query="0"]'), -30, 20);
    await same('after a drag of a query');
    await drag(page, figure.locator('[data-value="3"]'), 10, -50);
    await same('after a drag of a value');
    const weights = async () => (await figure.locator('.tint').allTextContents()).map(String);
    const unshifted = await weights();
    await press(figure.getByLabel('Add to feature 1 of all keys'), 'ArrowRight', 13);
    await press(figure.getByLabel('Add to feature 2 of all keys'), 'ArrowLeft', 8);
    await same('with all keys shifted');
    const shifted = await weights();
    if (String(shifted) !== String(unshifted)) throw new Error('a shift of all keys has moved a weight');
    const outputs = async () => String(await figure.locator('table').last().locator('[data-out]').allTextContents());
    const in_order = await outputs();
    await figure.getByRole('button').press('Enter');
    await same('with keys and values permuted');
    const permuted = await weights();
    if (String(permuted) === String(shifted) || String(permuted.sort()) !== String(shifted.sort()))
      throw new Error('the weights are not permuted');
    if ((await outputs()) !== in_order) throw new Error('a permutation has moved the output');
    await press(figure.getByLabel('Feature 2 of value 3'), 'ArrowDown', 3);
    await same('after the arrow keys in a field');
    if ((await outputs()) === in_order) throw new Error('the field has changed nothing');
    await refuses(figure.getByLabel('Feature 1 of query 1'), ['abc', '', '1e999', '1,5']);
  },

  async heads({figure, same, refuses}) {
    await same('as it stands');
    const table = (k) => figure.locator('table').nth(k).locator('[data-out]').allTextContents();
    const [first, all] = [String(await table(0)), String(await table(3))];
    await figure.getByLabel('Head 2', {exact: true}).press('Space');
    await same('with head 2 off');
    if ((await table(1)).some((text) => text !== '0.00')) throw new Error('a head that is off contributes');
    if (String(await table(3)) === all) throw new Error('the switch has changed nothing');
    if (String(await table(3)) !== String(await table(4))) throw new Error('concat and sum differ');
    await figure.getByLabel('Head 3', {exact: true}).click();
    await same('with head 1 alone');
    if (String(await table(3)) !== first) throw new Error('the sum is not the contribution of head 1');
    await press(figure.getByLabel('Factor of the block of head 1'), 'ArrowDown', 15);
    await same('with another factor');
    await refuses(figure.getByLabel('Factor of the block of head 1'), ['abc', '', '1e999', '1,5']);
    await refuses(figure.getByLabel('Factor of the block of head 3'), ['x']);
    await figure.getByLabel('Head 3', {exact: true}).click();
    await same('with head 3 on again');
  },

  async rows({figure, same, refuses, texts}) {
    await same('as it stands');
    const sums = async () => String(await figure.locator('.made').allTextContents());
    const before = await sums();
    const column = figure.locator('[data-entry="28"]');
    const row = figure.locator('[data-entry="60"]');
    await column.hover();
    await same('with the first output under the pointer');
    const hovered = await sums();
    if (hovered === before) throw new Error('the pointer has chosen nothing');
    if ((await figure.locator('td.partner [data-entry]').getAttribute('data-entry')) !== '60')
      throw new Error('the partner of the first output is not marked');
    await press(row, 'ArrowRight', 1);
    await same('after an arrow key in rows');
    if ((await figure.locator('td.partner [data-entry]').getAttribute('data-entry')) !== '30')
      throw new Error('the partner of output (1, 2) in rows is not output (2, 1) in columns');
    const numbers = await texts();
    await press(figure.getByLabel('K, row 2, column 3'), 'ArrowUp', 7);
    await same('with another key');
    if ((await texts()) === numbers) throw new Error('another key has changed nothing');
    await refuses(figure.getByLabel('V, row 1, column 2'), ['abc', '', '1e999', '1,5']);
  },

  async months({figure, same, texts}) {
    await same('as it stands');
    const before = await texts();
    await figure.locator('svg').first().hover();
    await same('with a month under the pointer');
    const hovered = await texts();
    if (hovered === before) throw new Error('the pointer has chosen nothing');
    await press(figure.getByLabel('Month'), 'ArrowRight', 3);
    await same('after the arrow keys');
    const moved = await texts();
    if (moved === hovered) throw new Error('the arrow keys have chosen nothing');
    await press(figure.getByRole('radio', {name: '1', exact: true}), 'ArrowRight', 1);
    await same('in the other head');
    if ((await texts()) === moved) throw new Error('the heads are alike');
    await figure.getByLabel('Series').selectOption({label: 'Government'});
    await same('with one sector');
  },

  async dogs({figure, same, texts}) {
    await same('as it stands');
    const before = await texts();
    await figure.locator('[data-patch="3"]').click();
    await same('after a click on patch 3');
    const clicked = await texts();
    if (clicked === before) throw new Error('the click has chosen nothing');
    if (!(await figure.getByRole('radio', {name: '3', exact: true}).isChecked())) throw new Error('patch 3 is not chosen');
    await press(figure.getByRole('radio', {name: '3', exact: true}), 'ArrowRight', 1);
    await same('after an arrow key');
    const moved = await texts();
    if (moved === clicked) throw new Error('the arrow key has chosen nothing');
    const seen = await figure.locator('image').last().getAttribute('href');
    for (const head of ['drawn head 1', 'drawn head 2']) {
      await figure.getByRole('radio', {name: head}).check();
      await same(`with ${head}`);
    }
    if ((await texts()) === moved) throw new Error('the heads are like no projections');
    if ((await figure.locator('image').last().getAttribute('href')) === seen) throw new Error('the output has not changed');
  },
};

async function drag(page, handle, right, down) {
  await handle.scrollIntoViewIfNeeded();
  const {x, y, width, height} = await handle.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + right / 2, y + height / 2 + down / 2);
  await page.mouse.move(x + width / 2 + right, y + height / 2 + down);
  await page.mouse.up();
}

async function press(field, key, times) {
  await field.focus();
  for (let count = 0; count < times; ++count) await field.press(key);
}

/// A number as the pages write it.
function written(x, digits) {
  const text = digits < 0 ? (x === 0 ? '0' : x.toExponential(-digits)) : x.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, '$1');
  return text.replace(/-/g, '−');
}

function computed(program, numbers) {
  const {stdout, error} = spawnSync(program, {input: numbers.join(' ') + '\n', encoding: 'utf8'});
  if (error) throw error;
  return stdout.trim().split(' ').map(Number);
}

/// Uses every live figure of the page. Returns what is wrong.
export async function useFigures(page, native) {
  const errors = [];
  for (const figure of await page.locator('[data-live]').all()) {
    const name = await figure.getAttribute('data-live');
    const texts = async () => String(await figure.locator('[data-out]').allTextContents());
    const same = async (when) => {
      const numbers = JSON.parse(await figure.getAttribute('data-numbers'));
      const results = computed(native[name], numbers);
      const shown = await figure.locator('[data-out]').evaluateAll((all) =>
        all.map((node) => [Number(node.dataset.out), Number(node.dataset.digits), node.textContent]),
      );
      if (shown.length === 0) throw new Error('no number is shown');
      for (const [k, digits, text] of shown)
        if (text !== written(results[k], digits))
          throw new Error(`${when}: number ${k} is shown as ${text}, the native program says ${written(results[k], digits)}`);
    };
    const refuses = async (field, texts_of_no_number) => {
      const good = await field.inputValue();
      const numbers = await figure.getAttribute('data-numbers');
      for (const text of texts_of_no_number) {
        await field.fill(text);
        const said = await figure.locator('[role="status"]').textContent();
        if ((await field.getAttribute('aria-invalid')) !== 'true' || !said.includes('not a number'))
          throw new Error(`“${text}” is not refused: ${said}`);
        if ((await figure.getAttribute('data-numbers')) !== numbers) throw new Error(`“${text}” has changed the figure`);
        await same(`after “${text}” was refused`);
      }
      await field.fill(good);
      if ((await field.getAttribute('aria-invalid')) !== null) throw new Error('a number is not taken after a refusal');
      if (await figure.locator('[role="status"]').textContent()) throw new Error('the refusal does not go away');
    };
    try {
      if (!native[name]) throw new Error('there is no native program to compare with');
      if (!use[name]) throw new Error('docs/check/figures.mjs does not say how it is used');
      await figure.and(page.locator('[data-running]')).waitFor({timeout: 5000});
      await use[name]({page, figure, same, refuses, texts});
    } catch (error) {
      errors.push(`live figure ${name}: ${error.message}`);
    }
  }
  return errors;
}
