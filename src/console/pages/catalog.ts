import { html } from 'hono/html';
import type { CatalogPart, CatalogStatus } from '../../operator/runs/catalog.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { CatalogAnswer } from '../api/answers-of-runs.ts';
import type { Page } from './layout.ts';
import { actionForm, badge, type Html, number, type Piece, section, table, tenantPath, time } from './parts.ts';

/** The page of the vendor's catalog in the CRM: when the catalog was read last, and how many of its rows are not written yet. */
export function catalogPage({ status }: CatalogAnswer, session: Session): Page {
  const { tenant, parts, kinds } = status;
  const mayAct = allows(session.identity.grants, { role: 'operator', tenant });
  const own = { session, tenant, back: `${tenantPath(tenant)}/catalog` };
  const body = html`${section('Read', table({ caption: 'Catalogs', isStacked: true }, ['Catalog', 'Read last', 'Now', 'Not read', 'Refused'], parts.map(partRow)))}
${section('Rows', table({ caption: 'Rows of the catalog', isStacked: true }, ['Kind', 'In Salesforce', 'To be written', 'Waiting for'], kinds.map(kindRow)))}
${mayAct ? section('Act', actionForm({ ...own, verb: 'catalog refresh', button: 'Read the catalog now' })) : ''}`;
  return { title: `Catalog of ${tenant}`, session, tenant, at: 'catalog', follows: tenant, body };
}

function partRow({ stream, runningSince, doneAt, failed, refused }: CatalogPart): readonly Piece[] {
  const isRunning = runningSince !== null;
  return [
    stream === 'refreshCatalog' ? 'Products and prices' : 'Offers of the portfolio',
    doneAt === null ? 'never' : time(doneAt),
    isRunning ? html`${badge('reads', 'warn')} since ${time(runningSince)}` : 'as planned',
    failed.join(', ') || '–',
    waiting(refused),
  ];
}

function kindRow({ kind, shown, pending, held }: CatalogStatus['kinds'][number]): readonly Piece[] {
  return [kind, number(shown), number(pending), waiting(held)];
}

function waiting(counts: Readonly<Record<string, number>>): Piece {
  const found = Object.entries(counts);
  if (found.length === 0) return '–';
  return html`${found.map(([name, n]): Html => html`<div>${badge(number(n), 'bad')} ${name}</div>`)}`;
}
