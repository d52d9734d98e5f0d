// The sum over heads: three heads, each of which can be switched off, and their contributions as coloured tables.

live('heads', (box, run) => {
  const n = 4;
  const d_model = 5;
  const H = 3;
  const size = d_model * n;
  const sizes = [n, 6, d_model, 3, 2, H]; // n, m, d_model, d_k, d_v, H
  const on = [true, true, true];
  const factors = [1, 1, 1];

  // What the program of this chapter draws from seed 1: the tokens of queries, those of keys and values, and W_Q, W_K, W_V,
  // W_O of each head, row by row.
  const tokens = [
    0.456735, -0.53589, -0.421104, 0.777393, -1.28135, -0.140933, 0.373995, -0.162315, -1.906228, -0.070882, -0.271447,
    -0.812214, -1.625659, -0.688314, -1.47761, -0.549498, 1.307337, 0.115437, -1.871151, 1.765381, -1.158758, -0.7084,
    0.114209, 1.703796, 0.314047, 0.063708, -0.501418, -0.911728, -0.22605, 0.527653, -0.059682, 1.632102, 0.554403,
    0.32273, -0.039925, -1.163836, -1.158245, -0.05382, 1.497244, 1.652008, -0.911237, -0.190187, 0.258661, -1.147049,
    -1.807653, 0.842651, 0.525767, -0.073797, 0.456721, -1.763622,
  ];
  const weights = [
    -0.732247, -0.727186, -0.09757, -0.957952, -0.298204, 0.822716, -0.058496, -0.85115, 0.139694, 0.270462, -0.821094,
    0.112358, 0.579304, -0.556733, -0.162663, -0.500444, -0.416271, 0.606473, -0.050812, -0.460121, -0.427916,
    0.497982, -0.083751, -0.387627, -0.356482, -0.773652, -0.761294, -0.861762, 0.389522, 0.295593, 0.580411,
    -0.214952, 0.059875, -0.203259, -0.619286, 0.193982, 0.776841, -0.258789, -0.923124, -0.43347, 0.770609, -0.47645,
    0.04097, -0.960957, 0.013376, 0.997841, 0.217408, 0.860676, 0.744645, -0.675863, 0.591416, -0.011377, 0.101573,
    0.457677, -0.971949, -0.100398, -0.633501, -0.886556, -0.616194, -0.975497, -0.830847, -0.998784, -0.731669,
    -0.537918, 0.822525, 0.152861, 0.847738, -0.951211, 0.529836, 0.498418, 0.527113, 0.973792, 0.129119, -0.028885,
    -0.507895, 0.922864, 0.321905, 0.082417, 0.194117, 0.144157, 0.376332, 0.441514, -0.080888, 0.272062, 0.549356,
    0.793807, 0.34624, -0.277543, -0.977248, -0.713955, -0.011187, 0.457392, 0.561274, -0.458298, -0.718613, 0.546428,
    -0.052334, 0.933458, 0.784349, 0.363533, 0.278334, 0.759236, 0.530157, -0.913627, 0.733393, -0.463278, 0.9084,
    -0.85963, -0.424683, -0.179516, 0.43588, 0.296691, 0.181917, -0.811502, -0.797832, -0.535641, 0.401663, -0.292877,
    -0.006165, 0.330302, 0.328751, -0.384042, -0.551004, 0.607765, 0.480243, -0.696432, 0.573323, -0.00181, -0.471347,
    0.00844, -0.013556, -0.256888, 0.02782, -0.546142, -0.434589, -0.179662, -0.750289, 0.62036, 0.712173, 0.741983,
    -0.888902, -0.056791, 0.422536, -0.9548, 0.765679, 0.316441, 0.445922, -0.260589, -0.904683, 0.026419,
  ];

  const range = (count) => [...Array(count).keys()];
  const headings = (count, scope, name) =>
    range(count).map((k) => element('th', {scope, 'aria-label': `${name} ${k + 1}`}, String(k + 1)));
  const panel = (caption, at) => {
    const made = table(caption, headings(n, 'col', 'query'), headings(d_model, 'row', 'feature'), (i, j) =>
      output(at + i * n + j, 'span', 2),
    );
    made.classList.add('tight', 'heat');
    made.rows[0].cells[0].append(element('span', {class: 'corner'}, 'query'));
    return made;
  };
  const sub = (text) => element('sub', {}, String(text));
  const contribution = (h) => element('span', {}, h === 0 ? '' : '+ ', 'W', sub(h + 1), element('sup', {}, 'O'), ' head', sub(h + 1));
  const panels = [
    ...range(H).map((h) => panel(contribution(h), h * size)),
    panel('= their sum', (H + 1) * size),
    panel('Concat: Wᴼ times the stack', H * size),
  ];
  const places = [...range(H).map((h) => h * size), (H + 1) * size, H * size];

  const message = element('p', {class: 'message', role: 'status'});
  const controls = element(
    'div',
    {class: 'live-controls'},
    ...range(H).map((h) => {
      const check = element('input', {type: 'checkbox'});
      check.checked = true;
      check.addEventListener('change', () => {
        on[h] = check.checked;
        show();
      });
      const field = numberField(`Factor of the block of head ${h + 1}`, 1, (number, text) => setFactor(h, number, text));
      return element('span', {class: 'switch'}, element('label', {}, check, ` Head ${h + 1}`), ' times ', field);
    }),
    element(
      'p',
      {},
      'A head that is off has a block of zeros; a factor multiplies its block. All tables share one scale of colours. Concat and sum differ by at most ',
      output((H + 2) * size, 'output', -1),
      ' (law 4.2).',
    ),
  );
  box.append(controls, message, element('div', {class: 'live-sum'}, ...panels));

  /// The factor of one head's block, if the C++ takes it.
  function setFactor(h, value, text) {
    const before = factors[h];
    factors[h] = value;
    if (Number.isFinite(value) && show()) { // the C++ does not see the factor of a head that is off
      message.textContent = '';
      return true;
    }
    factors[h] = before;
    show();
    message.textContent = refusal(value, text, before);
    return false;
  }

  let full = 0; // the scale of colours: the largest entry when all heads are as they were drawn
  function show() {
    const results = run([...sizes, ...factors.map((factor, h) => (on[h] ? factor : 0)), ...tokens, ...weights]);
    if (!results) return false;
    full ||= Math.max(...results.map(Math.abs));
    panels.forEach((made, p) => {
      for (let i = 0; i < d_model; ++i)
        for (let j = 0; j < n; ++j)
          tint(made.tBodies[0].rows[i].cells[j + 1], results[places[p] + i * n + j] / full);
    });
    return true;
  }
  show();
});
