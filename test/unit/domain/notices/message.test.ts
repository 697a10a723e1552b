import { expect, it } from 'vitest';
import { CAUSE_NAMES, causeRow, type NOTICE_CAUSES } from '../../../../src/domain/notices/causes.ts';
import { digestOf, messageOf, sentenceOf } from '../../../../src/domain/notices/message.ts';
import type { Notice } from '../../../../src/domain/notices/notices-of.ts';

const AT = '2026-11-02T10:00:00.000Z';

function aNotice(state: Partial<Notice['state']>, kind: Notice['kind'] = 'began'): Notice {
  const known = { cause: 'records-wait', subject: 'vendor-refused', since: AT, records: 12, foundAt: AT } as const;
  return { kind, tenant: 'acme', channel: 'ops', way: 'now', state: { ...known, ...state }, at: AT, dueAt: AT };
}

it('names the tenant, the state and its begin, and leads to the page of the console or to a command', () => {
  const message = messageOf(aNotice({}), 'https://lockstep.example.com');
  expect(message.title).toBe('acme: records-wait (vendor-refused) begins');
  expect(message.text).toContain('12 records');
  expect(message.look).toBe('https://lockstep.example.com/tenants/acme/inbox?code=vendor-refused');
  expect(messageOf(aNotice({}), null).look).toBe('lockstep inbox --code vendor-refused --tenant acme');
});

it.each(CAUSE_NAMES.flatMap((cause) => Object.keys(causeRow(cause).subjects ?? { '': '' }).map((s) => [cause, s])))(
  'every cause has a whole sentence for its begin and its end: %s %s',
  (cause, subject) => {
    for (const kind of ['began', 'ended'] as const) {
      const sentence = sentenceOf(kind, {
        cause: cause as keyof typeof NOTICE_CAUSES,
        subject: subject ?? '',
        records: 2,
      });
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence).not.toMatch(/[{}]|unknown/);
    }
  },
);

it('shows no subject that its cause lacks, because such a text may come from anywhere', () => {
  const hostile = { cause: 'remote-down', subject: '<!channel> https://evil.example', records: null } as const;
  expect(sentenceOf('began', hostile)).toBe(
    'Lockstep cannot use unknown, so the work that needs it is paused. No change is lost.',
  );
});

it('a digest lists what is open and what changed, and counts the rest', () => {
  const open = Array.from({ length: 130 }, (_, n) => ({
    ...({ tenant: `t${n}`, cause: 'drift', subject: '', since: AT, records: n, foundAt: AT } as const),
    ...{ isAnnounced: true, goneSince: null, to: [] },
  }));
  const changes = [messageOf(aNotice({}, 'ended'), null)];
  const { title, items } = digestOf({ open, changes }, AT, null);
  expect(title).toBe('Lockstep, daily digest: 130 open states, 1 change since the last digest');
  expect(items).toHaveLength(102);
  expect(items.slice(-2)).toEqual(['and 30 more', `${AT} acme: records-wait (vendor-refused) ends`]);
  expect(digestOf({ open: [], changes: [] }, AT, null).text).toBe('No state of any tenant needs a person.');
});
