import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { place } from '../../src/ledger/core/sealer.ts';
import { LedgerError, mayRetry, RaceLost, toLedgerError } from '../../src/ledger/ledger-error.ts';

function databaseError(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('value "ann@example.com" is wrong', 1, 'error');
  error.code = code;
  error.detail = 'Key (tenant, crm_id)=(acme, ann@example.com) already exists.';
  error.constraint = 'links_crm_id';
  return error;
}

describe('toLedgerError', () => {
  it.each([
    ['23505', true, true],
    ['40001', true, true],
    ['40P01', true, true],
    ['57P01', true, false],
    ['53300', true, false],
    ['08006', true, false],
    ['55000', true, false],
    ['55P03', true, false],
    ['25006', true, false],
    ['28P01', true, false],
    ['28000', true, false],
    ['3D000', true, false],
    ['25P02', false, false],
    ['08P01', false, false],
    ['22P02', false, false],
    ['23514', false, false],
  ])('SQLSTATE %s: transient %s, again at once %s, and no values', (code, transient, again) => {
    const error = databaseError(code);
    const result = toLedgerError(error) as LedgerError;
    expect(result).toBeInstanceOf(LedgerError);
    expect(result).toMatchObject({ code, transient });
    expect(mayRetry(error)).toBe(again);
    expect(`${result.message} ${result.stack} ${JSON.stringify(result)} ${result.cause}`).not.toContain('ann@');
    expect(result.message).toContain('links_crm_id');
  });

  it('tells what is wrong with our own statements', () => {
    const error = new pg.DatabaseError('column "colour" does not exist', 1, 'error');
    error.code = '42703';
    expect((toLedgerError(error) as LedgerError).message).toContain('column "colour" does not exist');
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EPIPE'])('%s is transient', (code) => {
    const result = toLedgerError(Object.assign(new Error('connect'), { code }));
    expect(result).toMatchObject({ name: 'LedgerError', code, transient: true });
  });

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
  ])('"%s", which the driver gives no code, is transient', (message) => {
    expect(toLedgerError(new Error(message))).toMatchObject({ name: 'LedgerError', transient: true });
  });

  it("passes what is not the database's, and names a lost race", () => {
    const bug = new TypeError('bug');
    expect(toLedgerError(bug)).toBe(bug);
    expect(mayRetry(bug)).toBe(false);
    expect(mayRetry(new RaceLost())).toBe(true);
    expect(toLedgerError(new RaceLost())).toMatchObject({ code: 'BUSY', transient: true });
  });
});

describe('place', () => {
  it('keeps the parts apart', () => {
    expect(place('a', 'links', 'base', 'b')).not.toBe(place('a","links', 'base', 'b', ''));
    expect(place('t', 'links', 'base', 'a', 'b')).not.toBe(place('t', 'links', 'base', 'a,b'));
  });
});
