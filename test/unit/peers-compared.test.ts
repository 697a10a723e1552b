import { expect, it } from 'vitest';
import { compared } from '../../bench/peers/compared.ts';

const PROCESSOR = 'ms of processor time a change';
const row = (scenario: string, what: string, measured: number) => ({ scenario, what, measured, limit: null });

it('leaves out of lone edits what the same takes without any edit', () => {
  const rows = [
    row('20 times no vendor changes by plain workflows', PROCESSOR, 5),
    row('20 times no vendor changes by Lockstep', PROCESSOR, 75),
    row('20 lone vendor changes by plain workflows', PROCESSOR, 65),
    row('20 lone vendor changes by Lockstep', PROCESSOR, 99),
  ];
  expect(compared(rows)).toEqual([
    { scenario: '20 lone vendor changes', what: `${PROCESSOR}, times plain workflows`, measured: 0.4, limit: 0.5 },
  ]);
});

it('compares a burst with the script and lone edits with plain workflows', () => {
  const rows = [
    row('200 CRM edits by a script', PROCESSOR, 2),
    row('200 CRM edits by plain workflows', PROCESSOR, 90),
    row('200 CRM edits by Lockstep', PROCESSOR, 5),
    row('20 lone CRM edits by a script', PROCESSOR, 2),
    row('20 lone CRM edits by plain workflows', PROCESSOR, 200),
    row('20 lone CRM edits by Lockstep', PROCESSOR, 150),
    row('20 lone CRM edits by Lockstep', 'ms of PostgreSQL', 9),
  ];
  expect(compared(rows)).toEqual([
    { scenario: '200 CRM edits', what: `${PROCESSOR}, times a script`, measured: 2.5, limit: 2.5 },
    { scenario: '20 lone CRM edits', what: `${PROCESSOR}, times plain workflows`, measured: 0.75, limit: 0.5 },
  ]);
});
