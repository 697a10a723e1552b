import { html } from 'hono/html';
import type { AuditResult } from '../../domain/audit/audit-result.ts';
import { AUDIT_CAUSES, type AuditCause } from '../../domain/audit/causes.ts';
import type { AuditState } from '../../operator/runs/audit.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import { actionForm, badge, facts, type Html, number, recordLink, section, table, tenantPath, time } from './parts.ts';
import { fieldTitle } from './record-fields.ts';

/**
 * The page of a tenant's audit (comparison of both sides of all linked deals): what the last audit found, a running audit, and the forms
 * that start and end one.
 */
export function auditPage({ tenant, isRunning, progress, last }: AuditState, nameOf: NameOf, session: Session): Page {
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const own = { session, tenant, back: `${tenantPath(tenant)}/audit` };
  const body = html`<p>An audit compares both sides of every linked deal. Each tenant has one a day.</p>
<div id="progress">${isRunning ? section('Running now', progressOf(progress)) : ''}</div>
${mayAct ? section('Act', forms(isRunning, own)) : ''}
${section('Last audit', last === null ? html`<p class="none">No audit has ended yet.</p>` : resultOf(last))}
${last === null || last.examples.length === 0 ? '' : section('What differs', examples(last, nameOf))}`;
  return { title: `Audit of ${tenant}`, session, tenant, at: 'audit', run: 'audit', body };
}

function progressOf(progress: AuditState['progress']): Html {
  if (progress === null) return html`<p>No worker answers now; it goes on once one runs.</p>`;
  const { phase, startedAt, pairs, seen, differing } = progress;
  return html`<p>${badge('running', 'warn')} Begun ${time(startedAt)}, step ${phase}.</p>
<p><progress max="${Math.max(1, pairs)}" value="${Math.min(seen, pairs)}" aria-label="Progress of the audit"></progress> ${number(seen)} of ${number(pairs)} pairs seen, ${number(differing)} differ so far</p>`;
}

function forms(
  isRunning: boolean,
  own: { readonly session: Session; readonly tenant: string; readonly back: string },
): Html {
  if (isRunning) return actionForm({ ...own, verb: 'audit stop', button: 'End the audit', asks: 'End the audit?' });
  return html`${actionForm({ ...own, verb: 'audit', id: 'audit', button: 'Compare' })}
${actionForm({ ...own, verb: 'audit', id: 'audit-repair', button: 'Compare and repair', hidden: { repair: 'true' }, asks: 'Compare, and sync what differs?' })}`;
}

function resultOf(audit: AuditResult): Html {
  const { startedAt, endedAt, pairs, differing, causes, fields, repaired, left, underWay, explained, unlinked } = audit;
  const listed = Object.entries(causes).map(
    ([cause, n]) => html`<li>${number(n)} ${AUDIT_CAUSES[cause as AuditCause]}</li>`,
  );
  return html`<p class="lead">${badge(differing === 0 ? 'all agree' : `${number(differing)} differ`, differing === 0 ? 'good' : 'bad')} of ${number(pairs)} pairs. <span class="small">${time(startedAt)} to ${time(endedAt)}</span></p>
${listed.length === 0 ? '' : html`<ul>${listed}</ul>`}
${facts([
  [
    'Fields',
    Object.entries(fields)
      .map(([field, n]) => `${fieldTitle(field)} ${number(n)}`)
      .join(', ') || null,
  ],
  ['On the way to be repaired', repaired === 0 ? null : number(repaired)],
  ['Left for the next', left === 0 ? null : number(left)],
  ['Under way', number(underWay)],
  ['Waiting for a person', number(explained)],
  ['Without a counterpart', `${number(unlinked.crm)} opportunities, ${number(unlinked.vendor)} vendor records`],
])}`;
}

function examples({ tenant, examples: found, differing }: AuditResult, nameOf: NameOf): Html {
  const rows = found.map((one) => [
    recordLink(tenant, { ...one, key: one.crmId ?? one.vendorId ?? '' }, nameOf),
    AUDIT_CAUSES[one.cause],
    one.fields.map(fieldTitle).join(', ') || 'the whole record',
  ]);
  const more = differing > found.length ? html`<p class="small">The first ${number(found.length)} are listed.</p>` : '';
  return html`${table({ caption: 'Deals that differ', isStacked: true }, ['Record', 'Why', 'Fields'], rows)}${more}`;
}
