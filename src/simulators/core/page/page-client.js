// @ts-nocheck: this runs in the browser, whose types the project does not have.
// Everything here is an addition: without it the page shows the same, and the commands on it do the same.
const ADMIN = '/__admin';
const KEPT = 200;
const said = document.getElementById('said');
const rows = document.querySelector('#log tbody');
const live = document.getElementById('live');
document.documentElement.classList.add('scripted');

function cell(text, kind) {
  const made = document.createElement('td');
  made.textContent = text ?? '';
  if (kind) made.className = kind;
  return made;
}

function toneOf(status) {
  if (status === null) return '';
  return status < 400 ? 'good' : 'bad';
}

function show(entry) {
  const row = document.createElement('tr');
  row.id = `request-${entry.seq}`;
  const query = entry.query ? `?${entry.query}` : '';
  const name = entry.label ? `${entry.operation} ${entry.label}` : entry.operation;
  const asked = document.createElement('td');
  const link = document.createElement('a');
  link.href = `${ADMIN}/requests/${entry.seq}`;
  link.textContent = `${entry.method} ${entry.path}${query}`;
  link.className = 'mono';
  asked.append(link);
  row.append(
    cell(entry.time.slice(11, 23), 'number'),
    cell(name),
    asked,
    cell(entry.status ?? '…', `number ${toneOf(entry.status)}`),
    cell(entry.fault),
  );
  const before = document.getElementById(row.id);
  row.className = before?.className || 'fresh';
  if (before) before.replaceWith(row);
  else rows.prepend(row);
  while (rows.children.length > KEPT) rows.lastElementChild.remove();
}

/** Brings every part that is marked as live to what the server shows now. */
async function refresh() {
  const text = await (await fetch(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const part of document.querySelectorAll('[data-live]')) {
    const now = fresh.getElementById(part.id);
    if (now) part.replaceWith(now);
  }
}

async function send(method, path, body) {
  const answer = await fetch(ADMIN + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const problem = answer.ok ? '' : (JSON.parse(text).error?.message ?? `HTTP ${answer.status}`);
  said.textContent = problem || 'Done.';
  if (answer.ok) setTimeout(() => said.textContent === 'Done.' && said.replaceChildren(), 2500);
  await refresh();
}

function lost(error) {
  said.textContent = `The simulator does not answer. ${error.message}`;
}

document.addEventListener('click', (event) => {
  const { method, path, body } = event.target.closest?.('button[data-path]')?.dataset ?? {};
  if (path) send(method, path, body === undefined ? undefined : JSON.parse(body)).catch(lost);
});

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const { method, path } = event.target.dataset;
  const fields = [...event.target.elements].filter((field) => field.name && field.value !== '');
  const values = fields.map(({ name, type, value }) => [name, type === 'number' ? Number(value) : value]);
  send(method, path, Object.fromEntries(values)).catch(lost);
});

const stream = new EventSource(`${ADMIN}/requests/stream`);
let pending = false;
stream.addEventListener('open', () => {
  live.textContent = 'Following.';
});
stream.addEventListener('error', () => {
  live.textContent = 'Not connected; trying again.';
});
stream.addEventListener('clear', () => rows.replaceChildren());
stream.addEventListener('request', (event) => {
  show(JSON.parse(event.data));
  if (pending) return;
  pending = true;
  setTimeout(() => {
    pending = false;
    refresh().catch(() => undefined);
  }, 2000);
});
