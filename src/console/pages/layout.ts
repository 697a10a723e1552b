import { html, raw } from 'hono/html';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { FollowedRun } from '../live/events.ts';
import { ASSETS } from './assets.ts';
import { type Html, type Piece, tenantPath } from './parts.ts';
import { forPeople } from './people.ts';

export type Page = {
  readonly title: string;
  /** The session of the person; null for pages before the sign-in. */
  readonly session: Session | null;
  readonly body: Piece;
  /** The tenant that the page is about. */
  readonly tenant?: string;
  /** The path of the page within its tenant, such as `inbox`. The navigation highlights the link to this page. */
  readonly at?: string;
  /** The tenant that the page follows: the page's script loads the page again when that tenant changes. `*`: when any tenant changes. */
  readonly follows?: string;
  /** The kind of long work (such as a backfill) whose progress the page shows in the element `#progress`. */
  readonly run?: FollowedRun;
  /** The name of another script that the page loads. */
  readonly script?: 'studio';
  /** The message about the result of the command that the person ran last; null if there is none to show. */
  readonly note?: Note | null;
};

export type Note = { readonly isGood: boolean; readonly text: string };

const TENANT_PAGES = [
  ['', 'Overview', 'viewer'],
  ['inbox', 'Inbox', 'viewer'],
  ['conflicts', 'Conflicts', 'viewer'],
  ['plan', 'Plan', 'viewer'],
  ['backfill', 'Backfill', 'viewer'],
  ['audit', 'Audit', 'viewer'],
  ['orders', 'Orders', 'viewer'],
  ['catalog', 'Catalog', 'viewer'],
  ['mapping', 'Mapping', 'viewer'],
  ['what-if', 'What if', 'viewer'],
  ['undo', 'Undo', 'viewer'],
  ['checks', 'Checks', 'operator'],
  ['keys', 'Keys', 'viewer'],
  ['declaration', 'Declaration', 'administrator'],
  ['notices', 'Notices', 'viewer'],
  ['audit-log', 'Audit log', 'operator'],
] as const;

export function layout({ title, session, body, tenant, at, follows, run, script, note = null }: Page): Html {
  return html`${raw('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Lockstep</title>
<link rel="icon" href="${ASSETS.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS.style.path}">
<script src="${ASSETS.script.path}" defer></script>${
    script === undefined
      ? ''
      : html`
<script src="${ASSETS[script].path}" defer></script>`
  }
</head>
<body${follows === undefined ? '' : html` data-follows="${follows}"`}${
    run === undefined || tenant === undefined
      ? ''
      : html` data-run="/api/v1/tenants/${encodeURIComponent(tenant)}/${run}/events"`
  }>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="/">Lockstep</a>
${session === null ? '' : topNavigation(session)}
</header>
${session === null || tenant === undefined ? '' : tenantNavigation(session, tenant, at)}
<main id="main" tabindex="-1">
<h1>${title}</h1>
${note === null ? '' : html`<p class="note ${note.isGood ? 'good' : 'bad'}" role="status">${tenant === undefined ? note.text : forPeople(note.text, { tenant })}</p>`}
${body}
</main>
${follows === undefined ? '' : html`<p id="live" role="status" class="live"></p>`}
</body>
</html>`;
}

function topNavigation({ identity, csrf }: Session): Html {
  const isAdministrator = allows(identity.grants, { role: 'administrator', tenant: null });
  return html`<nav aria-label="Installation"><a href="/">Tenants</a>${
    isAdministrator
      ? html`<a href="/notices">Notices</a><a href="/tokens">Tokens</a><a href="/audit-log">Audit log</a>`
      : ''
  }</nav>
<form method="post" action="/sign-out" class="who"><span>${identity.user}</span><input type="hidden" name="csrf" value="${csrf}"><button class="plain">Sign out</button></form>`;
}

function tenantNavigation({ identity: { grants } }: Session, tenant: string, at: string | undefined): Html {
  const links = TENANT_PAGES.filter(([, , role]) => allows(grants, { role, tenant }));
  return html`<div class="tenant"><nav aria-label="Tenant ${tenant}"><strong>${tenant}</strong>${links.map(
    ([path, text]) =>
      html`<a href="${tenantPath(tenant)}${path === '' ? '' : `/${path}`}"${path === at ? html` aria-current="page"` : ''}>${text}</a>`,
  )}</nav>
<form method="get" action="${tenantPath(tenant)}/find" role="search" aria-label="Find a record"><label for="find" class="for-readers">Find a record by id</label><input id="find" name="id" placeholder="Record id" required autocomplete="off"><button class="plain">Find</button></form></div>`;
}
