/** The console's pages work without this script. It shows local times, selects all rows, asks before a change, and follows changes and runs. */

const LEAST_PAUSE_MS = 3_000;

function showLocalTimes() {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}

/** Whether reloading the page would lose the person's work: an input has the focus, or was changed. */
function isBusy() {
  const { activeElement: active } = document;
  if (
    active instanceof HTMLInputElement ||
    active instanceof HTMLSelectElement ||
    active instanceof HTMLTextAreaElement
  )
    return true;
  const inputs = [...document.querySelectorAll('main input')].filter((one) => one instanceof HTMLInputElement);
  return inputs.some((one) =>
    one.type === 'checkbox' ? one.checked : one.type !== 'hidden' && one.value !== one.defaultValue,
  );
}

/** Loads the page again and replaces its main part, or only the element `#progress` if the person is busy or `onlyProgress` is set. */
async function renew(onlyProgress = false) {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const part = onlyProgress || isBusy() ? '#progress' : 'main';
  const [now, next] = [document.querySelector(part), page.querySelector(part)];
  if (now === null || next === null) return;
  // The message about the last action is on no page that is loaded again.
  const note = now.querySelector('h1 + .note');
  now.replaceChildren(...next.childNodes);
  if (note !== null) now.querySelector('h1')?.after(note);
  showLocalTimes();
  const live = document.querySelector('#live');
  if (live !== null) live.textContent = `Updated at ${new Date().toLocaleTimeString()}.`;
}

/**
 * Loads the page again when a tenant changes, at most once in three seconds.
 * @param {string} follows the tenant's name, or `*` for all tenants
 */
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

/**
 * Loads the progress again at each event of a run, such as a backfill, and the whole page when the run begins or ends.
 * @param {string} path of the run's events
 */
function followRun(path) {
  let wasRunning = false;
  new EventSource(path).addEventListener('run', (event) => {
    const { state, isRunning = state === 'running' } = JSON.parse(event.data);
    const isSame = isRunning === wasRunning;
    wasRunning = isRunning;
    // The page has other forms once the run has ended or begun.
    void renew(isSame);
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
const { follows, run } = document.body.dataset;
if (follows !== undefined) follow(follows);
if (run !== undefined) followRun(run);
