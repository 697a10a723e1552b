import { html } from 'hono/html';
import { counted } from '../../domain/values/counted.ts';
import type { Diagnosis, Verdict } from '../../operator/doctor/finding.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import { badge, type Html, type Piece, section, type Tone, table, tenantPath } from './parts.ts';
import { forPeople } from './people.ts';

const TONES: Readonly<Record<Verdict, Tone>> = { ok: 'good', warns: 'warn', fails: 'bad', skipped: 'quiet' };
/** The order in which findings are shown: those that need a repair first. */
const ORDER: readonly Verdict[] = ['fails', 'warns', 'skipped', 'ok'];

type Shown = {
  readonly tenant: string;
  /** The results of the checks; null before the person has asked for them. */
  readonly diagnosis: Diagnosis | null;
};

/**
 * The page of a tenant's checks, for example of its sign-ins and rights. It shows each finding, with its repair if there is something to
 * repair.
 */
export function checksPage({ tenant, diagnosis }: Shown, session: Session): Page {
  const mayRun = allows(session.identity.grants, { role: 'operator', tenant });
  const form = mayRun
    ? html`<form method="get" action="${tenantPath(tenant)}/checks" class="action"><button name="run" value="true">${diagnosis === null ? 'Run the checks' : 'Run them again'}</button></form>`
    : html`<p class="small">An operator of the tenant can run the checks.</p>`;
  const body = html`<p class="lead">Checks sign-ins, rights, fields, key, quota and receiver. A few requests to both sides; nothing is changed.</p>
${form}
${diagnosis === null ? '' : findings(diagnosis, tenant)}`;
  return { title: `Checks of ${tenant}`, session, tenant, at: 'checks', body };
}

function findings({ findings: all }: Diagnosis, tenant: string): Html {
  const bad = all.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns').length;
  const sorted = all.toSorted((one, other) => ORDER.indexOf(one.verdict) - ORDER.indexOf(other.verdict));
  const rows = sorted.map(({ check, verdict, what, repair }): readonly Piece[] => [
    badge(verdict, TONES[verdict]),
    check,
    forPeople(what, { tenant }),
    repair === null ? '–' : forPeople(repair, { tenant }),
  ]);
  return section(
    bad === 0 ? 'Nothing is wrong' : counted(bad, 'finding needs a repair', 'findings need a repair'),
    table({ caption: 'Findings', isStacked: true }, ['Verdict', 'Check', 'What', 'Repair'], rows),
  );
}
