import { html } from 'hono/html';
import { isConflict } from '../../domain/record/issue.ts';
import type { FieldValues } from '../../operator/explain/explanation.ts';
import type { RecordHistory } from '../../operator/records/read-history.ts';
import type { Inbox } from '../../operator/status/inbox.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { NameOf } from '../live/names.ts';
import type { Page } from './layout.ts';
import { badge, type Html, number, type Piece, recordLink, tenantPath, time } from './parts.ts';
import { forPeople } from './people.ts';
import { resolveForm } from './resolve-form.ts';
import { bothSides } from './values.ts';

/** The maximum number of conflicts on one page. The number is small, because each display of values adds a line to the record's journal. */
export const MOST_CONFLICTS = 20;

type Asked = {
  readonly inbox: Inbox;
  readonly nameOf: NameOf;
  /**
   * Histories of the records with conflicts, by the key of the record's link (the database row for the deal). They contain values, so they
   * are null if the person did not ask for values.
   */
  readonly histories: ReadonlyMap<string, RecordHistory> | null;
};

/** The page of a tenant's conflicts, with both sides' values if the person asked for them. */
export function conflictsPage({ inbox, nameOf, histories }: Asked, session: Session): Page {
  const { tenant, causes, records } = inbox;
  const { grants } = session.identity;
  const total = causes.reduce((sum, cause) => sum + cause.records, 0);
  const path = `${tenantPath(tenant)}/conflicts`;
  const maySee = allows(grants, { role: 'viewer', tenant, values: true });
  const mayAct = allows(grants, { role: 'operator', tenant });
  const look =
    histories !== null
      ? html`<p>These are the values that Lockstep saw last. Your look is noted. <a href="${path}">Hide the values</a></p>`
      : maySee
        ? html`<p><a href="${path}?values=true">Show both sides’ values</a> <span class="small">Each look is noted.</span></p>`
        : html`<p class="small">You have no right to see values of fields.</p>`;
  const shown = records.flatMap((record) =>
    record.issues.filter(isConflict).map(({ field, message }) => {
      const id = record.crmId ?? record.vendorId ?? record.key;
      const values = histories === null || field === null ? null : heldValues(histories.get(record.key), field);
      return html`<section><h2>${recordLink(tenant, record, nameOf)}</h2>
<p>${field === null ? '' : html`${badge(field, 'bad')} `}${forPeople(message, { tenant, id })} <span class="small">${time(record.updatedAt)}</span></p>
${values === null ? '' : bothSides(values)}${mayAct && field !== null ? resolveForm({ session, tenant, id, field, back: path }) : ''}</section>`;
    }),
  );
  const more =
    total > records.length
      ? html`<p class="small">The last changed ${number(records.length)} of ${number(total)} are shown.</p>`
      : '';
  const body: Piece =
    total === 0 ? html`<p class="lead">No conflict waits.</p>` : html`${look}${shown as readonly Html[]}${more}`;
  return {
    title: `Conflicts of ${tenant}`,
    session,
    tenant,
    at: 'conflicts',
    ...(histories === null ? { follows: tenant } : {}),
    body,
  };
}

/** The values of both sides in the newest decision that left a conflict in this field to a person; null if the history has none. */
export function heldValues(history: RecordHistory | undefined, field: string): FieldValues | null {
  const decisions = history?.lines.flatMap((line) => line.decisions) ?? [];
  return decisions.find((one) => one.field === field && one.verdict === 'conflict-held')?.values ?? null;
}
