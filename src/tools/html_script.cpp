// SPDX-License-Identifier: Apache-2.0
#include "tools/html_assets.h"

namespace iotadnn::tools {

// Texts of the model are read from and written to text nodes only: none of them becomes markup.
const char* const kHtmlScript = R"js(
'use strict';
(() => {
  const svg = document.querySelector('svg.graph');
  const list = document.getElementById('details');
  const boxes = [...document.querySelectorAll('svg.graph .v')];
  const links = new Map(boxes.map(box => [box.id, {above: [], below: [], paths: []}]));
  for (const path of document.querySelectorAll('svg.graph .e')) {
    const from = 'v' + path.dataset.a, to = 'v' + path.dataset.b;
    links.get(from).below.push(to);
    links.get(to).above.push(from);
    links.get(from).paths.push(path);
    links.get(to).paths.push(path);
  }
  const texts = new Map();
  for (const box of boxes) {  // without a script the browser shows the title
    const title = box.querySelector('title');
    texts.set(box.id, title.textContent);
    box.setAttribute('aria-label', title.textContent);
    title.remove();
  }

  let shown = null;
  function show(box) {
    if (box === shown) return;
    for (const path of shown ? links.get(shown.id).paths : []) path.classList.remove('on');
    for (const path of links.get(box.id).paths) path.classList.add('on');
    shown?.classList.remove('shown');
    box.classList.add('shown');
    shown = box;
    const terms = document.createElement('dl');
    let last = '';
    for (const line of texts.get(box.id).split('\n')) {
      const at = line.indexOf(': ');
      const term = line.slice(0, at);
      if (term !== last) terms.appendChild(document.createElement('dt')).textContent = term;
      terms.appendChild(document.createElement('dd')).textContent = line.slice(at + 2);
      last = term;
    }
    list.replaceChildren(terms);
  }
  function focus(box) {
    for (const other of svg.querySelectorAll('.v[tabindex="0"]'))
      other.setAttribute('tabindex', -1);
    box.setAttribute('tabindex', 0);
    box.focus();
    box.scrollIntoView({block: 'nearest', inline: 'nearest'});
    show(box);
  }

  let from = null;  // the box that arrow keys left, so that they lead back
  function neighbour(box, key) {
    const {above, below} = links.get(box.id);
    if (key === 'ArrowUp') return above.includes(from) ? from : above[0];
    if (key === 'ArrowDown') return below.includes(from) ? from : below[0];
    const step = {ArrowLeft: -1, ArrowRight: 1}[key];
    return step && boxes[boxes.indexOf(box) + step]?.id;
  }
  if (svg) {
    svg.addEventListener('focusin', event => show(event.target.closest('.v')));
    svg.addEventListener('pointerover', event => {
      const box = event.target.closest('.v');
      if (box && !svg.contains(document.activeElement)) show(box);
    });
    svg.addEventListener('click', event => {
      const box = event.target.closest('.v');
      if (box) focus(box);
    });
    svg.addEventListener('keydown', event => {
      const box = event.target.closest('.v');
      if (event.key === 'Escape') box.blur();
      const next = neighbour(box, event.key);
      if (!next) return;
      event.preventDefault();
      from = box.id;
      focus(document.getElementById(next));
    });
  }

  const size = svg && {width: svg.width.baseVal.value, height: svg.height.baseVal.value};
  let scale = 1;
  function zoom(to) {
    scale = Math.min(4, Math.max(0.02, to));
    svg.setAttribute('width', size.width * scale);
    svg.setAttribute('height', size.height * scale);
  }
  const canvas = document.querySelector('.canvas');
  if (svg) {  // a wide drawing starts with its first box in view
    const first = boxes[0].getBoundingClientRect(), frame = canvas.getBoundingClientRect();
    canvas.scrollLeft += first.left + first.width / 2 - frame.left - frame.width / 2;
    canvas.scrollTop += first.top - frame.top - 60;
  }
  const zooms = {
    in: () => zoom(scale * 1.25),
    out: () => zoom(scale / 1.25),
    one: () => zoom(1),
    fit: () => zoom(Math.min(1, (canvas.clientWidth - 26) / size.width,
                             (canvas.clientHeight - 26) / size.height)),
  };
  for (const button of document.querySelectorAll('[data-zoom]'))
    button.addEventListener('click', zooms[button.dataset.zoom]);

  const find = document.getElementById('find'), found = document.getElementById('found');
  let hits = [];
  find?.addEventListener('input', () => {
    for (const box of hits) box.classList.remove('hit');
    const wanted = find.value.toLowerCase();
    hits = wanted ? boxes.filter(box => texts.get(box.id).toLowerCase().includes(wanted)) : [];
    for (const box of hits) box.classList.add('hit');
    found.textContent = wanted ? hits.length + ' found' : '';
    hits[0]?.scrollIntoView({block: 'center', inline: 'center'});
  });
  find?.addEventListener('keydown', event => {
    if (event.key === 'Enter' && hits.length) focus(hits[0]);
  });

  let picked = null;
  function pick(partition) {
    picked = picked === partition ? null : partition;
    svg.classList.toggle('pick', picked !== null);
    for (const box of boxes) box.classList.toggle('picked', box.dataset.p === picked);
    for (const item of document.querySelectorAll('.legend [data-p]'))
      item.setAttribute('aria-pressed', item.dataset.p === picked);
  }
  for (const item of document.querySelectorAll('.legend [data-p]')) {
    item.addEventListener('click', () => pick(item.dataset.p));
    item.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); pick(item.dataset.p); }
    });
  }

  // page.html#v12 shows box 12.
  function follow() {
    const box = document.getElementById(location.hash.slice(1));
    if (box && links.has(box.id)) focus(box);
  }
  window.addEventListener('hashchange', follow);
  follow();
})();
)js";

}  // namespace iotadnn::tools
