import { html } from 'hono/html';
import { type Html, type Piece, recordPath, tenantPath, time } from './parts.ts';

/**
 * The tenant and the record that a page is about; `id` is absent on a page about no single record. Links in Lockstep's messages lead to
 * pages about them.
 */
export type Where = { readonly tenant: string; readonly id?: string };

type Target = { readonly words: string; readonly href: string };
type Named = { readonly id: string | null; readonly field: string | null };

const ofTenant = (words: string, path: string) => (where: Where) => ({
  words,
  href: `${tenantPath(where.tenant)}${path}`,
});

function ofRecord(words: string, anchor: string) {
  return ({ tenant, id: own }: Where, { id: named }: Named): Target => {
    const id = named ?? own;
    if (id === undefined) return { words, href: `${tenantPath(tenant)}/inbox` };
    return { words, href: id === own ? `#${anchor}` : `${recordPath(tenant, id)}#${anchor}` };
  };
}

/**
 * The commands that Lockstep's sentences about repairs name. For each command: the words that a page shows instead, and the link to the
 * part of a page that does what the command does.
 */
const PLACES: Readonly<Record<string, (where: Where, named: Named) => Target>> = {
  sync: ofRecord('sync it now', 'sync'),
  link: ofRecord('link it', 'link'),
  unlink: ofRecord('unlink it', 'unlink'),
  'conflicts resolve': ofRecord('decide it', 'decide'),
  explain: ofRecord('look at it again', 'main'),
  conflicts: ofTenant('the conflicts', '/conflicts'),
  'inbox retry': ofTenant('send them again', '/inbox'),
  inbox: ofTenant('the inbox', '/inbox'),
  status: ofTenant('the overview', ''),
  resume: ofTenant('lift every pause', '#resume'),
  'tenants resume': ofTenant('let the tenant go on', '#resume'),
  keys: ofTenant('the key', '/keys'),
  'keys status': ofTenant('the key', '/keys'),
  'keys set': ofTenant('set another key', '/keys'),
  'keys rotate': ofTenant('request a new key', '/keys'),
  'keys confirm': ofTenant('confirm the new key', '/keys'),
  'keys abort': ofTenant('discard the new key', '/keys'),
  plan: ofTenant('make a plan', '/plan'),
  backfill: ofTenant('begin a backfill', '/backfill'),
  'backfill status': ofTenant('the backfill', '/backfill'),
  audit: ofTenant('the audit', '/audit'),
  catalog: ofTenant('the catalog', '/catalog'),
  'load-orders': ofTenant('the orders', '/orders'),
  'find-order': ofTenant('the orders', '/orders'),
  mapping: ofTenant('the mapping', '/mapping'),
  'mapping check': ofTenant('check the mapping', '/mapping'),
  'mapping versions': ofTenant('the mapping', '/mapping'),
  'mapping publish': ofTenant('publish a mapping', '/mapping'),
  'mapping take-back': ofTenant('take the mapping back', '/mapping'),
  undo: ofTenant('an undo', '/undo'),
  'undo status': ofTenant('the undo', '/undo'),
  doctor: ofTenant('the checks', '/checks'),
  'tenants show': ofTenant('the declaration', '/declaration'),
  'tenants apply': ofTenant('change the declaration', '/declaration'),
  'tenants remove': ofTenant('remove the declaration', '/declaration'),
  relink: ofTenant('move the deals', '/relink'),
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z/;
const COMMAND = new RegExp(
  `^(?:run )?lockstep (${Object.keys(PLACES)
    .toSorted((one, other) => other.length - one.length)
    .join('|')})(?![\\w-])`,
);
const NEXT = /\d{4}-\d\d-\d\dT\d\d:\d\d|(?:run )?lockstep /g;
const ALTERNATIVE = / \(or --take vendor\)/y;
const OPTION = / --(?:tenant|take|code|cap|since) [\w.-]*\w| --[a-z-]+/y;
const ID = / ([A-Za-z0-9_.:-]*[A-Z0-9](?:[\w.:-]*\w)?)/y;
const WORD = / ([a-z]\w*)/y;

/**
 * A sentence of Lockstep as a page shows it: instants are shown in the person's own time, and a command becomes a link to the part of a
 * page that does what the command does.
 */
export function forPeople(text: string, where: Where): Html {
  const pieces: Piece[] = [];
  let at = 0;
  NEXT.lastIndex = 0;
  for (let found = NEXT.exec(text); found !== null; found = NEXT.exec(text)) {
    const shown = instantAt(text.slice(found.index)) ?? commandAt(text, found.index, where);
    if (shown === null) continue;
    pieces.push(text.slice(at, found.index), shown.piece);
    at = found.index + shown.length;
    NEXT.lastIndex = at;
  }
  return html`${pieces}${text.slice(at)}`;
}

type Shown = { readonly piece: Piece; readonly length: number };

function instantAt(text: string): Shown | null {
  const [iso] = INSTANT.exec(text) ?? [];
  return iso === undefined ? null : { piece: time(iso), length: iso.length };
}

function commandAt(text: string, start: number, where: Where): Shown | null {
  const [typed, verb = ''] = COMMAND.exec(text.slice(start)) ?? [];
  if (typed === undefined) return null;
  const { named, end } = argumentsAt(text, start + typed.length, { verb, tenant: where.tenant });
  const { words, href } = PLACES[verb]?.(where, named) ?? { words: typed, href: '' };
  return { piece: html`<a href="${href}">${words}</a>`, length: end - start };
}

/**
 * Reads the arguments of a command that a sentence quotes: options, ids, the tenant's name, and the field of a conflict. Returns the id,
 * the field, and the position at which the arguments end and the sentence goes on.
 */
function argumentsAt(
  text: string,
  start: number,
  { verb, tenant }: { readonly verb: string; readonly tenant: string },
) {
  const named: { id: string | null; field: string | null } = { id: null, field: null };
  let at = start;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (let before = -1; before !== at; ) {
    before = at;
    if (text.startsWith(` ${tenant}`, at) && !/^[\w-]/.test(text.slice(at + 1 + tenant.length)))
      at += 1 + tenant.length;
    if (take(OPTION) ?? take(ALTERNATIVE)) continue;
    if (named.id === null) named.id = take(ID)?.[1] ?? null;
    else if (verb === 'conflicts resolve' && named.field === null) named.field = take(WORD)?.[1] ?? null;
  }
  return { named, end: at };
}
