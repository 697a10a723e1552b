import { randomUUID } from 'node:crypto';
import { testMessage } from '../../../src/domain/notices/message.ts';
import type { OpenState } from '../../../src/domain/notices/state.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { NewMessage, NoticeLedger } from '../../../src/ledger/notices/notice-ledger.ts';
import { at } from './ledger-samples.ts';

/** An open state that a channel was notified of. */
export const OPEN: OpenState = {
  ...{ cause: 'remote-down', subject: 'salesforce', since: at(0), records: null },
  ...{ foundAt: at(0), isAnnounced: true, goneSince: null, to: [{ channel: 'ops', way: 'now' }] },
};

/** A message to the channel `ops`, due at the start of the samples' time. */
export function aMessage(more: Partial<NewMessage> = {}): NewMessage {
  const message = { ...testMessage('ops', at(0), null), cause: OPEN.cause, subject: OPEN.subject };
  return { id: randomUUID(), channel: 'ops', message, way: 'now', dueAt: at(0), expiresAt: at(86_400), ...more };
}

type Call = (ledger: Ledger, tenant: string) => Promise<unknown>;

/** A typical call of each method about notices. */
export const NOTICE_CALLS: Readonly<Record<keyof NoticeLedger | 'waitingKeysOf', Call>> = {
  waitingKeysOf: (l, t) => l.waitingKeysOf([t, 'T8']),
  noticeStates: (l, t) => l.noticeStates([t, 'T8']),
  saveNoticeStates: async (l, t) => {
    const generation = (await l.noticeStates([t])).get(t)?.generation ?? 0;
    await l.saveNoticeStates(t, { generation, changed: [OPEN], removed: [], messages: [aMessage()] }, at(1));
    const lines = [aMessage({ way: 'digest' })];
    return l.saveNoticeStates(t, { generation: generation + 1, changed: [], removed: [OPEN], messages: lines }, at(2));
  },
  makeDigest: (l) => l.makeDigest(aMessage(), () => testMessage('ops', at(9), null), at(9)),
  claimMessages: (l) => l.claimMessages({ channels: ['ops'], at: at(9), until: at(99), limit: 10 }),
  settleMessage: async (l, t) => {
    const of = { tenant: t, id: 'msg_1', claim: randomUUID() };
    await l.settleMessage(of, { kind: 'failed', error: 'HTTP_503', againAt: at(60) }, at(9));
    await l.settleMessage(of, { kind: 'sent', error: null }, at(9));
  },
  undeliveredOf: (l, t) => l.undeliveredOf([t, 'T8', ''], at(9)),
  listNotices: (l, t) => l.listNotices([t, ''], 100),
};
