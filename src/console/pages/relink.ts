import { html } from 'hono/html';
import type { JudgedMove } from '../../operator/records/judge-moves.ts';
import type { RecordsRelinked } from '../../operator/records/relink-records.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import {
  actionForm,
  choiceField,
  counts,
  facts,
  type Html,
  number,
  section,
  table,
  tenantPath,
  wordsField,
} from './parts.ts';
import { forPeople } from './people.ts';

type Shown = {
  readonly tenant: string;
  readonly field: string | null;
  /**
   * The plan of the move to another org. Null until the person names the Salesforce field that contains the old ids, and if the plan was
   * refused.
   */
  readonly plan: RecordsRelinked | null;
  readonly refusal: string | null;
};

const WORDS: Readonly<Record<JudgedMove['verdict'], string>> = {
  move: 'to be moved',
  moved: 'moved, and on the way',
  done: 'moved before',
  unknown: 'known to no deal of this tenant',
  'not-in-org': 'the org does not have the new id',
  taken: 'the new id is linked to another deal',
  twice: 'named twice',
  busy: 'changed meanwhile: try again',
};

const MOST_LISTED = 100;

/** The page that moves a tenant's deals to the opportunities of another org, after a migration. */
export function relinkPage({ tenant, field, plan, refusal }: Shown, session: Session): Page {
  const path = `${tenantPath(tenant)}/relink`;
  const ask = html`<form method="get" action="${path}" class="action">${wordsField('field', 'Field with the former id', 'Former_Id__c')}<button>Show what would be moved</button></form>`;
  const body = html`<p>Use this after a tenant’s opportunities were migrated to another org, while the tenant is paused. A field of the new opportunities names the former ones.</p>
${section('Plan', ask)}
${refusal === null ? '' : html`<p class="note bad" role="status">${forPeople(refusal, { tenant })}</p>`}
${plan === null || field === null ? '' : section('Would be moved', planned(plan), form(plan, { session, tenant, field, path }))}`;
  return { title: `Move deals of ${tenant}`, session, tenant, body };
}

function planned({ moves, withoutNewId }: RecordsRelinked): Html {
  const words = moves.map(({ verdict }) => WORDS[verdict]);
  const totals = Object.fromEntries(
    [...new Set(words)].map((word) => [word, words.filter((one) => one === word).length]),
  );
  const rows = moves
    .slice(0, MOST_LISTED)
    .map(({ from, to, vendorId, verdict }) => [from, to, vendorId, WORDS[verdict]]);
  return html`${facts([
    ['Found', counts(totals) ?? 'no new id'],
    ['Linked deals without a new id', number(withoutNewId)],
  ])}${table({ caption: 'Moves', none: 'No opportunity names a former one.', isStacked: true }, ['From', 'To', 'Vendor record', 'Verdict'], rows)}`;
}

function form(
  { moves }: RecordsRelinked,
  {
    session,
    tenant,
    field,
    path,
  }: { readonly session: Session; readonly tenant: string; readonly field: string; readonly path: string },
): Html | null {
  const count = moves.filter(({ verdict }) => verdict === 'move').length;
  if (count === 0 || !allows(session.identity.grants, { role: 'administrator', tenant })) return null;
  const fields = choiceField('prefer', 'Where values differ', [
    ['', 'the field’s rule decides'],
    ['crm', 'Salesforce’s stay'],
    ['vendor', 'the vendor’s stay'],
  ]);
  return actionForm({
    ...{ session, tenant, back: path, verb: 'relink', hidden: { field }, fields },
    ...{ button: `Move ${number(count)} deals`, asks: `Move ${number(count)} deals?` },
  });
}
