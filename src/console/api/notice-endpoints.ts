import { z } from 'zod';
import { listNotices } from '../../operator/notices/list-notices.ts';
import { testChannel } from '../../operator/notices/test-channel.ts';
import type { ConsolePorts } from '../ports.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { limit, REASON, TENANT } from './input.ts';
import { NOTICES, NOTICES_TEST } from './notice-answers.ts';

const CHANNEL = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  .describe('the name of a channel in the notices file');

function namesOf({ roster }: ConsolePorts): readonly string[] {
  const { served, unavailable } = roster();
  return [...served.keys(), ...unavailable.keys()];
}

export const NOTICE_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'viewer' },
    verb: 'notices',
    summary: 'Lists the states of a tenant that operators were notified of, and the messages about them.',
    path: '/tenants/{tenant}/notices',
    input: z.object({ tenant: TENANT, limit: limit(20) }),
    answer: NOTICES,
    run: ({ ledger, notices, tenant: named, now }, { tenant, limit }) => {
      const order = { tenants: [named(tenant).tenant], withDigests: false, limit };
      return listNotices(ledger, notices.setup, order, now());
    },
  }),
  endpoint({
    ...{ method: 'GET', effect: 'reads', role: 'administrator' },
    verb: 'notices',
    summary: 'Lists the states of all tenants that operators were notified of, and all messages with the digests.',
    path: '/notices',
    input: z.object({ limit: limit(20) }),
    answer: NOTICES,
    run: (ports, { limit }) => {
      const order = { tenants: namesOf(ports), withDigests: true, limit };
      return listNotices(ports.ledger, ports.notices.setup, order, ports.now());
    },
  }),
  endpoint({
    ...{ method: 'POST', effect: 'writes', role: 'administrator' },
    verb: 'notices test',
    summary: 'Sends a test notice to a channel.',
    path: '/notices/test',
    input: z.object({ channel: CHANNEL, reason: REASON }),
    answer: NOTICES_TEST,
    details: ({ channel }) => ({ channel }),
    outcome: ({ sent }) => ({ hasFailed: !sent }),
    run: ({ notices, now }, { channel }) => testChannel(notices, channel, now()),
  }),
];
