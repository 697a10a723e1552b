import { html } from 'hono/html';
import type { SimulatorBackend } from '../admin.ts';
import { describeFault } from '../fault-spec.ts';
import type { LoggedRequest } from '../request-log.ts';
import type { Html, Section } from './layout.ts';
import { adminCommand, button, commands, form, table } from './parts.ts';

/** The sections of a simulator's page for the admin calls that all simulators have. `origin` is the page's own. */
export function adminSections(backend: SimulatorBackend, origin: string): readonly Section[] {
  return [
    faultSection(backend, origin),
    quotaSection(backend, origin),
    timeSection(backend, origin),
    recordSection(backend, origin),
    snapshotSection(backend, origin),
  ];
}

const FAULTS = [
  ['the next answer is a 503', { status: 503, times: 1 }],
  ['one in five is throttled, for 20 s', { resetSeconds: 20, share: 0.2 }],
  ['the next answer takes 5 s', { delayMs: 5000, times: 1 }],
  ['the next request is done, and its answer lost', { cut: 'after', times: 1 }],
  ['the next request is cut, and done 5 s later', { cut: 'early', delayMs: 5000, times: 1 }],
  ['the next request is lost', { cut: 'before', times: 1 }],
  ['the next request is never answered', { hang: true, times: 1 }],
] as const;

function faultSection({ faults, operations }: SimulatorBackend, origin: string): Section {
  const planned = faults.list();
  const rows = FAULTS.map(([what, fault]) => [
    what,
    html`<code>${JSON.stringify(fault)}</code>`,
    button('Plan it', { method: 'POST', path: '/faults', body: fault }),
  ]);
  const list = planned.map((fault) => [
    fault.operation ?? 'any operation',
    describeFault(fault),
    `${fault.applied} of ${fault.times ?? 'any number of'} times`,
  ]);
  const body = html`<p>A fault applies to the requests that match it, as often as it says. <code>operation</code> narrows
it to one of: ${operations.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`)}.</p>
${table(['What happens', 'Fault', ''], rows)}
${commands(
  adminCommand(origin, 'POST', '/faults', { status: 503, operation: operations[0], times: 1 }),
  adminCommand(origin, 'GET', '/faults'),
  adminCommand(origin, 'DELETE', '/faults'),
)}
<div id="planned-faults" data-live>${
    planned.length === 0
      ? html`<p class="quiet">No fault is planned.</p>`
      : html`${table(['Operation', 'Fault', 'Applied'], list)}
<p>${button('Remove all faults', { method: 'DELETE', path: '/faults' })}</p>`
  }</div>`;
  return { id: 'faults', title: 'Faults', body };
}

function quotaSection({ quota }: SimulatorBackend, origin: string): Section {
  const { limit, windowSeconds } = quota.rule();
  const body = html`<p id="quota-rule" data-live>Each caller may send <b>${limit}</b> requests within
<b>${windowSeconds}</b> seconds.</p>
${form('Set the quota', { method: 'PUT', path: '/quota' }, [
  { name: 'limit', label: 'Requests', type: 'number', value: String(limit) },
  { name: 'windowSeconds', label: 'Seconds', type: 'number', value: String(windowSeconds) },
])}
${commands(adminCommand(origin, 'PUT', '/quota', { limit: 5, windowSeconds: 60 }))}`;
  return { id: 'quotas', title: 'Quotas', body };
}

const HOUR_MS = 3_600_000;

function timeSection({ clock }: SimulatorBackend, origin: string): Section {
  const moves = [
    ['An hour on', HOUR_MS],
    ['A day on', 24 * HOUR_MS],
    ['A week on', 168 * HOUR_MS],
  ] as const;
  const body = html`<p id="clock-now" data-live>It is <b>${clock.now().toISOString()}</b> here. Stamps, windows and quotas
follow this clock.</p>
<p>${moves.map(([text, advanceMs]) => html`${button(text, { method: 'PUT', path: '/clock', body: { advanceMs } })} `)}</p>
${commands(
  adminCommand(origin, 'PUT', '/clock', { advanceMs: HOUR_MS }),
  adminCommand(origin, 'PUT', '/clock', { now: '2027-01-04T08:00:00.000Z' }),
)}`;
  return { id: 'time', title: 'Time', body };
}

function recordSection(backend: SimulatorBackend, origin: string): Section {
  const counts = Object.entries(backend.counts());
  const [first = ''] = counts.map(([type]) => type);
  const rows = counts.map(([type, count]) => [
    html`<a href="/__admin/records?type=${type}">${type}</a>`,
    String(count),
  ]);
  const body = html`<p>Read, make, edit and delete records as a user of this system would: no key, no quota, and the
stamps move.</p>
<div id="record-counts" data-live>${table(['Type', 'Records'], rows)}</div>
${commands(
  adminCommand(origin, 'GET', `/records?type=${first}`),
  `curl -X PATCH ${origin}/__admin/records/ID -d '{"set":{"FIELD":"a new value"}}'`,
  `curl -X PATCH ${origin}/__admin/records/ID -d '{"set":{"FIELD":"a late one"},"at":"2027-01-04T08:00:00.000Z"}'`,
  adminCommand(origin, 'POST', '/reset'),
)}
<p>${button('Back to the seed', { method: 'POST', path: '/reset', body: {} })}</p>`;
  return { id: 'records', title: 'Records', body };
}

function snapshotSection({ snapshots }: SimulatorBackend, origin: string): Section {
  const rows = snapshots.list().map(({ name, savedAt }) => {
    const path = `/snapshots/${encodeURIComponent(name)}`;
    return [
      html`<a href="/__admin${path}">${name}</a>`,
      savedAt,
      html`${button('Return to it', { method: 'POST', path: `${path}/restore`, body: {} })} ${button('Forget it', { method: 'DELETE', path })}`,
    ];
  });
  const body = html`<p>A snapshot is the whole state under a name: data, clock, quota and faults. Return to it as often as you like.</p>
${form('Take a snapshot', { method: 'POST', path: '/snapshots' }, [{ name: 'name', label: 'Name', type: 'text' }])}
<div id="taken-snapshots" data-live>${
    rows.length === 0 ? html`<p class="quiet">There is no snapshot.</p>` : table(['Name', 'Saved', ''], rows)
  }</div>
${commands(
  adminCommand(origin, 'POST', '/snapshots', { name: 'before-the-test' }),
  adminCommand(origin, 'POST', '/snapshots/before-the-test/restore'),
)}`;
  return { id: 'snapshots', title: 'Snapshots', body };
}

const SHOWN_REQUESTS = 50;

/** The request log: the last requests, and with scripts new ones as they arrive. */
export function logSection({ log }: SimulatorBackend, origin: string): Section {
  const body = html`<p>What the API was asked, newest first; secrets are hidden. <span id="live" class="quiet" role="status"></span></p>
<div class="scroll" tabindex="0"><table id="log">
<thead><tr>${['Time', 'Operation', 'Request', 'Status', 'Fault'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${log.list().slice(-SHOWN_REQUESTS).toReversed().map(requestRow)}</tbody>
</table></div>
${commands(adminCommand(origin, 'GET', '/requests?operation=NAME&since=TIME'), `curl -N ${origin}/__admin/requests/stream`)}`;
  return { id: 'requests', title: 'Requests', body };
}

function requestRow({ seq, time, operation, label, method, path, query, status, fault }: LoggedRequest): Html {
  const tone = status === null ? '' : status < 400 ? 'good' : 'bad';
  return html`<tr id="request-${seq}"><td class="number">${time.slice(11, 23)}</td>
<td>${label === null ? operation : `${operation} ${label}`}</td>
<td><a class="mono" href="/__admin/requests/${seq}">${method} ${path}${query && `?${query}`}</a></td>
<td class="number ${tone}">${status ?? '…'}</td><td>${fault ?? ''}</td></tr>`;
}
