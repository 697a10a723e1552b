import { expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** A tenant's keys of the vendor, from the first to the one that took over. */

const { ledger, query } = await withLedger();
const NEW = { apiKey: 'k'.repeat(64), hashedKey: 'h'.repeat(60) };
const OTHER = { apiKey: 'o'.repeat(64), hashedKey: 'x'.repeat(60) };

it('knows nothing of a tenant whose file has the key', async () => {
  expect(await ledger.vendorKeys('none')).toBeNull();
  expect(await ledger.switchKey('none', NEW.hashedKey, at(0))).toBe(false);
  expect(await ledger.dropKey('none', NEW.hashedKey)).toBe(false);
});

it('keeps one new key at a time, sealed, and asks for none while it waits', async () => {
  expect(await ledger.askForKey('one', at(0))).toBe(true);
  expect(await ledger.vendorKeys('one')).toMatchObject({ waiting: null, askedAt: at(0) });
  // An answer that was lost is asked for again.
  expect(await ledger.askForKey('one', at(1))).toBe(true);
  expect(await ledger.keepKey('one', NEW, at(2))).toBe(true);
  expect(await ledger.keepKey('one', OTHER, at(2))).toBe(false);
  expect(await ledger.askForKey('one', at(3))).toBe(false);
  expect(await ledger.vendorKeys('one')).toMatchObject({
    inUse: null,
    waiting: NEW,
    askedAt: at(1),
    waitingSince: at(2),
  });
  const stored = await query("select t::text as line from vendor_keys t where tenant = 'one'");
  expect(stored[0]?.['line']).not.toContain(Buffer.from(NEW.apiKey).toString('hex'));
});

it('switches to the key of a hash, keeps the one before it until that is proven, and no longer', async () => {
  await ledger.setKey('two', 'first', at(0));
  await ledger.keepKey('two', NEW, at(1));
  expect(await ledger.switchKey('two', OTHER.hashedKey, at(2))).toBe(false);
  expect(await ledger.switchKey('two', NEW.hashedKey, at(2))).toBe(true);
  expect(await ledger.switchKey('two', NEW.hashedKey, at(2))).toBe(false);
  expect(await ledger.vendorKeys('two')).toMatchObject({
    inUse: NEW.apiKey,
    previous: 'first',
    waiting: null,
    switchedAt: at(2),
    provenAt: null,
  });
  await ledger.proveKey('two', OTHER.hashedKey, at(3));
  expect(await ledger.vendorKeys('two')).toMatchObject({ provenAt: null, inUseHash: NEW.hashedKey });
  await ledger.proveKey('two', NEW.hashedKey, at(3));
  expect(await ledger.vendorKeys('two')).toMatchObject({
    inUse: NEW.apiKey,
    previous: null,
    provenAt: at(3),
  });
});

it('forgets a key that waits, on a person’s word, and takes one of theirs', async () => {
  await ledger.keepKey('three', NEW, at(0));
  expect(await ledger.dropKey('three', OTHER.hashedKey)).toBe(false);
  expect(await ledger.dropKey('three', NEW.hashedKey)).toBe(true);
  expect(await ledger.vendorKeys('three')).toMatchObject({ waiting: null, inUse: null });
  await ledger.keepKey('three', OTHER, at(1));
  await ledger.setKey('three', 'theirs', at(2));
  expect(await ledger.vendorKeys('three')).toMatchObject({ waiting: null, inUse: 'theirs', provenAt: null });
});
