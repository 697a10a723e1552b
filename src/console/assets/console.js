/** The console's pages work without this script. It shows local times, selects all rows, asks before a change, and follows changes. */

const LEAST_PAUSE_MS = 3_000;

function showLocalTimes() {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}

/** Whether the person is in the middle of something that a new page would take away. */
function isBusy() {
  const { activeElement: active } = document;
  if (active instanceof HTMLInputElement || active instanceof HTMLSelectElement) return true;
  const inputs = [...document.querySelectorAll('main input')].filter((one) => one instanceof HTMLInputElement);
  return inputs.some((one) =>
    one.type === 'checkbox' ? one.checked : one.type !== 'hidden' && one.value !== one.defaultValue,
  );
}

async function renew() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [now, next] = [document.querySelector('main'), page.querySelector('main')];
  if (now === null || next === null || isBusy()) return;
  now.replaceChildren(...next.childNodes);
  showLocalTimes();
  const live = document.querySelector('#live');
  if (live !== null) live.textContent = `Updated at ${new Date().toLocaleTimeString()}.`;
}

/** @param {string} follows a tenant, or `*` for all */
function follow(follows) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let lastMs = 0;
  const source = new EventSource('/api/v1/events');
  source.addEventListener('changed', (event) => {
    const { tenants } = JSON.parse(event.data);
    if (waiting !== undefined || (follows !== '*' && !tenants.includes(follows))) return;
    const waitMs = Math.max(0, lastMs + LEAST_PAUSE_MS - Date.now());
    waiting = setTimeout(() => {
      waiting = undefined;
      lastMs = Date.now();
      void renew();
    }, waitMs);
  });
}

document.addEventListener('change', (event) => {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || target.dataset['selects'] === undefined) return;
  for (const box of document.querySelectorAll(`input[data-of="${target.dataset['selects']}"]`))
    if (box instanceof HTMLInputElement) box.checked = target.checked;
});

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  if (!(target instanceof HTMLFormElement) || event.defaultPrevented) return;
  // A download leaves the page as it is.
  if (submitter instanceof HTMLElement && submitter.dataset['stays'] !== undefined) return;
  const { asks } = target.dataset;
  if (asks !== undefined && !confirm(asks)) return event.preventDefault();
  // A second click would run the command a second time.
  if (target.method === 'post')
    for (const button of target.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true');
});

showLocalTimes();
const { follows } = document.body.dataset;
if (follows !== undefined) follow(follows);
