import { html } from 'hono/html';
import type { Notices } from '../../operator/notices/list-notices.ts';
import { allows } from '../access/roles.ts';
import type { Session } from '../access/sessions.ts';
import type { Page } from './layout.ts';
import { actionForm, badge, type Html, type Piece, section, table, tenantPath, time } from './parts.ts';

const TONES = { urgent: 'bad', soon: 'warn', info: 'good' } as const;
const STATES = { waits: 'warn', sent: 'good', 'given-up': 'bad', digest: 'warn', 'in-digest': 'good' } as const;

/**
 * The page of operators' notices about one tenant, or about the installation (`tenant` null): the states that operators were notified of
 * (such as a pause), and the messages.
 */
export function noticesPage(notices: Notices, tenant: string | null, session: Session): Page {
  const body = html`${section('Open states', openTable(notices))}
${notices.undelivered.length === 0 ? '' : section('Channels that fail', undeliveredTable(notices))}
${section('Last messages', messageTable(notices))}
${tenant === null ? section('Channels', channelTable(notices, session)) : ''}`;
  const of = tenant === null ? {} : { tenant, at: 'notices' };
  return { title: tenant === null ? 'Notices' : `Notices of ${tenant}`, session, body, ...of };
}

function openTable({ open }: Notices): Html {
  const rows = open.map(({ tenant, severity, text, since, channels }): readonly Piece[] => [
    html`<a href="${tenantPath(tenant)}">${tenant}</a>`,
    badge(severity, TONES[severity]),
    text,
    time(since),
    channels.join(', ') || 'no channel',
  ]);
  const none = 'No state that operators were notified of holds.';
  return table({ caption: 'Open states', none }, ['Tenant', 'Severity', 'What', 'Since', 'Notified'], rows);
}

function undeliveredTable({ undelivered }: Notices): Html {
  const rows = undelivered.map(({ tenant, channel, waiting, since, givenUp, error }): readonly Piece[] => [
    channel,
    tenant ?? 'digest',
    String(waiting),
    time(since),
    String(givenUp),
    error ?? '–',
  ]);
  const heads = ['Channel', 'About', 'Waiting', 'Since', 'Given up within a week', 'Last failure'];
  return table({ caption: 'Channels that fail' }, heads, rows);
}

function messageTable({ messages }: Notices): Html {
  const rows = messages.map(({ createdAt, channel, title, state, endedAt, attempts, error }): readonly Piece[] => [
    time(createdAt),
    channel,
    title,
    badge(state, STATES[state]),
    time(endedAt),
    String(attempts),
    error ?? '–',
  ]);
  const heads = ['Made', 'Channel', 'Message', 'State', 'Ended', 'Attempts', 'Last failure'];
  return table({ caption: 'Last messages', none: 'No message yet.' }, heads, rows);
}

function channelTable({ channels }: Notices, session: Session): Html {
  const mayAct = allows(session.identity.grants, { role: 'administrator', tenant: null });
  const test = (channel: string): Piece =>
    mayAct
      ? actionForm({
          ...{ verb: 'notices test', session, tenant: '', back: '/notices', button: 'Send a test' },
          ...{ hidden: { channel }, id: `test-${channel}` },
        })
      : '–';
  const rows = channels.map(({ name, type }): readonly Piece[] => [name, type, test(name)]);
  const none = 'No channel: LOCKSTEP_NOTICES names no file for the console.';
  return table({ caption: 'Channels', none }, ['Channel', 'Type', 'Test'], rows);
}
