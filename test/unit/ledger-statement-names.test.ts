import { describe, expect, it } from 'vitest';
import { statementNames } from '../../src/ledger/core/prepared-statements.ts';

const ASKED = 'select * from links where key = $1';

/** What a text is sent as, so many times. */
function sentAs(names: ReturnType<typeof statementNames>, text: string, times: number) {
  return Array.from({ length: times }, () => names.nameOf(text));
}

describe('a statement', () => {
  it('is prepared once it was sent five times, under the same name in every process', () => {
    const [one, other] = [statementNames(), statementNames()];
    expect(sentAs(one, ASKED, 5)).toEqual(Array(5).fill(undefined));
    const name = one.nameOf(ASKED);
    expect(name).toMatch(/^lockstep_0_[\w-]{22}$/);
    expect(sentAs(other, ASKED, 6).at(-1)).toBe(name);
    expect(sentAs(one, `${ASKED} `, 6).at(-1)).not.toBe(name);
  });

  it('has another name once its columns have changed', () => {
    const names = statementNames();
    const before = sentAs(names, ASKED, 6).at(-1);
    names.renew();
    const after = sentAs(names, ASKED, 6).at(-1);
    expect(after).toMatch(/^lockstep_1_/);
    expect(after?.slice(11)).toBe(before?.slice(11));
  });

  it('has none where what answers keeps none', () => {
    const names = statementNames();
    sentAs(names, ASKED, 6);
    names.stop();
    expect(sentAs(names, ASKED, 9)).toEqual(Array(9).fill(undefined));
  });
});

it('no more than 300 statements of a pool are prepared, however many texts there are', () => {
  const names = statementNames();
  const last = Array.from({ length: 2_000 }, (_, n) => sentAs(names, `${ASKED} or key = $${n}`, 6).at(-1));
  expect(last.filter((name) => name !== undefined)).toHaveLength(300);
  expect(names.nameOf(`${ASKED} or key = $0`)).toBe(last[0]);
});

it('texts that are all sent seldom do not add up to a prepared one, and are not all remembered', () => {
  const names = statementNames();
  for (let round = 0; round < 9; round += 1)
    for (let n = 0; n < 1_500; n += 1) expect(names.nameOf(`${ASKED} or key = $${n}`)).toBeUndefined();
});
