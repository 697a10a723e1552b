// Without this script the page shows the same content, and its commands have the same effect.
/** @import { StreamedRequest } from '../../request-stream.ts' */

const ADMIN = '/__admin';
const KEPT = 200;
const said = part('#said');
const rows = part('#log tbody');
const live = part('#live');
document.documentElement.classList.add('scripted');

/**
 * @param {string} selector
 * @returns {Element} a part that every page has
 */
function part(selector) {
  const found = document.querySelector(selector);
  if (found === null) throw new Error(`The page has no ${selector}.`);
  return found;
}

/**
 * @param {string | number | null} text
 * @param {string} [kind] its class
 */
function cell(text, kind) {
  const made = document.createElement('td');
  made.textContent = String(text ?? '');
  if (kind) made.className = kind;
  return made;
}

/** @param {number | null} status */
function toneOf(status) {
  if (status === null) return '';
  return status < 400 ? 'good' : 'bad';
}

/** @param {StreamedRequest} entry */
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
  while (rows.children.length > KEPT) rows.lastElementChild?.remove();
}

/** Brings every part that is marked as live to what the server shows now. */
async function refresh() {
  const text = await (await fetch(location.pathname)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  for (const shown of document.querySelectorAll('[data-live]')) {
    const now = fresh.getElementById(shown.id);
    if (now) shown.replaceWith(now);
  }
}

/**
 * @param {string | undefined} method
 * @param {string | undefined} path below the admin address
 * @param {unknown} [body]
 */
async function send(method, path, body) {
  const answer = await fetch(`${ADMIN}${path}`, {
    ...(method !== undefined && { method }),
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const problem = answer.ok ? '' : (JSON.parse(text).error?.message ?? `HTTP ${answer.status}`);
  said.textContent = problem || 'Done.';
  if (answer.ok) setTimeout(() => said.textContent === 'Done.' && said.replaceChildren(), 2500);
  await refresh();
}

/** @param {unknown} error */
function lost(error) {
  said.textContent = `The simulator does not answer. ${error instanceof Error ? error.message : ''}`;
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button[data-path]') : null;
  if (!(button instanceof HTMLButtonElement)) return;
  const { method, path, body } = button.dataset;
  send(method, path, body === undefined ? undefined : JSON.parse(body)).catch(lost);
});

document.addEventListener('submit', (event) => {
  if (!(event.target instanceof HTMLFormElement)) return;
  event.preventDefault();
  const { method, path } = event.target.dataset;
  const fields = [...event.target.querySelectorAll('input, select, textarea')].filter(isField);
  const given = fields.filter(({ name, value }) => name !== '' && value !== '');
  const values = given.map(({ name, type, value }) => [name, type === 'number' ? Number(value) : value]);
  send(method, path, Object.fromEntries(values)).catch(lost);
});

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
function isField(element) {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

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
