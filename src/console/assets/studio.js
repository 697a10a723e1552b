/** The mapping studio works without this script. It checks the draft while one types, and lets fields be dragged. */

const TYPING_MS = 500;

/** @param {HTMLFormElement} form */
function checkWhileTyping(form) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  let asked = 0;
  const check = async () => {
    asked += 1;
    const own = asked;
    const texts = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams([...texts, ['do', 'check']]) });
    // An older answer must not replace that of a newer draft.
    if (!answer.ok || answer.redirected || own !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-live]')) {
      const next = page.querySelector(`[data-live="${part.getAttribute('data-live')}"]`);
      if (next !== null && part.innerHTML !== next.innerHTML) part.replaceChildren(...next.childNodes);
    }
  };
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void check().catch(() => undefined), TYPING_MS);
  });
}

/** @param {EventTarget | null} target */
function dropOf(target) {
  const found = target instanceof Element ? target.closest('[data-drop]') : null;
  const choice = found?.querySelector('select[name$=".crm"]');
  return found instanceof HTMLElement && choice instanceof HTMLSelectElement ? { found, choice } : null;
}

/** @param {HTMLFormElement} form */
function letFieldsBeDragged(form) {
  let field = '';
  const mark = (/** @type {Element | null} */ over) => {
    for (const row of form.querySelectorAll('.drop')) if (row !== over) row.classList.remove('drop');
    over?.classList.add('drop');
  };
  const fits = (/** @type {HTMLSelectElement} */ choice) => [...choice.options].some(({ value }) => value === field);
  form.addEventListener('dragstart', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    field = target.dataset['field'] ?? '';
    event.dataTransfer?.setData('text/plain', field);
  });
  form.addEventListener('dragover', (event) => {
    const drop = dropOf(event.target);
    const isFit = field !== '' && drop !== null && fits(drop.choice);
    mark(isFit ? drop.found : null);
    if (isFit) event.preventDefault();
  });
  form.addEventListener('dragend', () => mark(null));
  form.addEventListener('drop', (event) => {
    const drop = dropOf(event.target);
    mark(null);
    if (field === '' || drop === null || !fits(drop.choice)) return;
    event.preventDefault();
    drop.choice.value = field;
    field = '';
    drop.choice.focus();
    drop.choice.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

const studio = document.querySelector('form[data-checks]');
if (studio instanceof HTMLFormElement) {
  checkWhileTyping(studio);
  letFieldsBeDragged(studio);
  studio.addEventListener('submit', (event) => {
    const { submitter } = event;
    const asks = submitter instanceof HTMLElement ? submitter.dataset['asks'] : undefined;
    if (asks !== undefined && !confirm(asks)) event.preventDefault();
  });
}
