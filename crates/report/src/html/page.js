
'use strict';
(() => {
  const element = id => document.getElementById(id);
  const rows = Array.from(document.querySelectorAll('.m'));
  const form = element('filters');
  const value = id => { const found = element(id); return found ? found.value : ''; };

  // Which rows fit what was chosen.
  function filter() {
    const level = Number(value('f-level')), rule = value('f-rule'), method = value('f-method'), session = value('f-session');
    let shown = 0;
    for (const row of rows) {
      const data = row.dataset;
      const fits = Number(data.l || 0) >= level
        && (!rule || (data.r || '').split(' ').includes(rule))
        && (!method || data.m === method)
        && (!session || data.s === session);
      if (row.hidden === fits) row.hidden = !fits;
      if (fits) shown += 1;
    }
    element('f-shown').textContent = shown === rows.length ? '' : shown + ' of ' + rows.length + ' rows';
  }

  // Opens the row that holds an element, shows it even if it is filtered away, and brings its lit bytes into view.
  function reveal(target) {
    const row = target.closest('.m');
    if (!row) return;
    if (row.hidden) { form.reset(); filter(); }
    row.open = true;
    // Blocks that were never laid out have an estimated height: the place is exact at the second look.
    target.scrollIntoView({ block: 'start' });
    requestAnimationFrame(() => target.scrollIntoView({ block: 'start' }));
  }
  function follow() {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* Somebody wrote it by hand. */ }
    const target = element(name);
    if (target) reveal(target);
  }

  // The next or the previous finding, from what is on the screen.
  let current = -1;
  function jump(step) {
    const found = rows.filter(row => row.dataset.l && !row.hidden);
    if (!found.length) return;
    let place = found.indexOf(rows[current]) + step;
    if (place < 0) place = found.length - 1;
    if (place >= found.length) place = 0;
    current = rows.indexOf(found[place]);
    reveal(found[place]);
  }

  // A request learns of its answer.
  for (const row of rows) {
    if (!row.dataset.q) continue;
    const asked = element(row.dataset.q);
    if (!asked) continue;
    asked.dataset.a = row.id;
  }
  const partner = row => row && element(row.dataset.q || row.dataset.a || '');
  function near(event) {
    const other = partner(event.target.closest('.m'));
    if (other) other.classList.toggle('near', event.type === 'mouseover');
  }
  function opened(event) {
    const row = event.target;
    if (!row.open || !row.classList.contains('m')) return;
    const raw = row.querySelector('.raw'), lit = raw && raw.querySelector('mark');
    if (lit) raw.scrollTop = lit.offsetTop - raw.offsetTop - 40;
    const answer = row.dataset.a && element(row.dataset.a);
    if (answer && !row.querySelector('.pair')) {
      const told = document.createElement('p'), link = document.createElement('a');
      const took = answer.querySelector('.took');
      told.className = 'pair';
      link.href = '#' + answer.id;
      link.textContent = 'line ' + answer.querySelector('.at').textContent;
      told.append('answered by ', link, took ? ' after ' + took.textContent : '');
      row.querySelector('.body').prepend(told);
    }
  }

  form.hidden = false;
  form.addEventListener('change', filter);
  form.addEventListener('submit', event => event.preventDefault());
  element('f-next').addEventListener('click', () => jump(1));
  element('f-prev').addEventListener('click', () => jump(-1));
  document.addEventListener('toggle', opened, true);
  document.addEventListener('mouseover', near);
  document.addEventListener('mouseout', near);
  // A link to the place where we are already changes nothing in the address, but must still open it.
  document.addEventListener('click', event => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.getAttribute('href') === location.hash) follow();
  });
  window.addEventListener('hashchange', follow);
  // After a reload the browser restores what was chosen.
  filter();
  follow();
})();
