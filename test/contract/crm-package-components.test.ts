import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/lwc/browser.ts';
import { compiled, type StandInOrg, showComponent } from '../support/lwc/component-page.ts';
import { DEAL, demoOrg, LEAD, leadOrg, SYNC } from '../support/lwc/demo-org.ts';

/** The Lightning web components: their tests by Salesforce's runner, and what a user sees and does in a real browser. */

const ROOT = join(import.meta.dirname, '..', '..');
const IMAGES = join(ROOT, 'docs', 'images');
const PACKAGE = join(ROOT, 'crm-package');
const COMPONENTS = join(PACKAGE, 'main', 'default', 'lwc');
const RUNNER = join(ROOT, 'node_modules', '@salesforce', 'sfdx-lwc-jest', 'bin', 'sfdx-lwc-jest');
/** Set to renew the pictures of the documentation; else nothing is written. */
const RENEWS = process.env['LOCKSTEP_RENEW_PICTURES'] === '1';
const DESKTOP = 1_100;
const PHONE = 375;
const ON_DEAL = { recordId: DEAL, objectApiName: 'Opportunity' };
const ON_SYNC_ROW = { recordId: SYNC, objectApiName: 'Lockstep_Sync__c' };

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

type Given = { readonly component?: string; readonly org?: StandInOrg; readonly width?: number; readonly at?: object };

/** The page of a component, on which the browser and LWC warn of nothing. */
async function shows({ component = 'lockstepSides', org = demoOrg(), width = DESKTOP, at = ON_DEAL }: Given = {}) {
  const attributes = component === 'lockstepSides' ? (at as Record<string, string>) : {};
  const { page, said } = await showComponent(browser, { component, attributes, org, width });
  await page.getByRole('table').first().waitFor();
  expect(said).toEqual([]);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name });
const resolved = (page: Page) => page.evaluate(`org.rows['${SYNC}'].fields.Resolve__c`);
const rowOf = async (page: Page, field: string) =>
  (await page.locator(`[data-field="${field}"] [role]`).allTextContents()).join('|');

describe('Salesforce’s own tools', () => {
  it('pass every test of the components', async () => {
    const options = ['--ci', '--config', 'jest.config.cjs', '--json', '--silent'];
    const run = await promisify(execFile)(process.execPath, [RUNNER, '--', ...options], { cwd: PACKAGE });
    const { numTotalTests, success } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{')));
    expect({ success, hasAll: numTotalTests >= 20 }).toEqual({ success: true, hasAll: true });
  });

  it.each(readdirSync(COMPONENTS))('compile %s without a warning', (name) => {
    for (const file of readdirSync(join(COMPONENTS, name)).filter((each) => /\.(js|html|css)$/.test(each)))
      expect(compiled(`/c/${name}/${file}`)).toContain('export');
  });
});

describe('both sides of a deal', () => {
  it.each([
    ['lockstepSides', 'lightning-sides', DESKTOP],
    ['lockstepSides', 'lightning-sides-phone', PHONE],
    ['lockstepConflicts', 'lightning-conflicts', DESKTOP],
  ])('%s is drawn as %s shows, %i wide, without a scroll bar', async (component, picture, width) => {
    const page = await shows({ component, width });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const path = join(IMAGES, `${picture}.png`);
    const drawn = await page.locator('main').screenshot();
    if (RENEWS) writeFileSync(path, drawn);
    expect({ isKept: existsSync(path), isBlank: drawn.length < 5_000 }).toEqual({ isKept: true, isBlank: false });
  });

  it('stand beside each other on a phone and on a desk, the fields that differ first', async () => {
    for (const width of [DESKTOP, PHONE]) {
      const page = await shows({ width });
      const box = async (side: string) => page.locator(`[data-field="description"] .cell_${side}`).boundingBox();
      const [ours, theirs] = [await box('crm'), await box('vendor')];
      expect(Math.abs((ours?.y ?? 0) - (theirs?.y ?? 9))).toBeLessThan(1);
      expect(theirs?.x).toBeGreaterThan(ours?.x ?? 0);
      const fields = await page.locator('[data-field]').evaluateAll((all) => all.map((one) => one.dataset['field']));
      expect(fields).toEqual(['closeDate', 'description', 'nextMilestone', 'dsOwnerEmail', 'reasonWon']);
    }
  });

  it('are those of a lead on the page of a lead', async () => {
    const page = await shows({ org: leadOrg(), at: { recordId: LEAD, objectApiName: 'Lead' }, width: PHONE });
    expect(await rowOf(page, 'closeDate')).toMatch(/12\/18\/2026.*1\/29\/2027/);
    expect(await rowOf(page, 'description')).toMatch(/40 turbines.*60 turbines/);
    await button(page, 'Take ours').click();
    await page.getByRole('status').filter({ hasText: "Keep Salesforce's" }).waitFor();
    expect(await resolved(page)).toBe("Keep Salesforce's");
    expect(await page.evaluate(`typeof org.rows['${LEAD}'].fields.Lockstep_Sync_Asked__c`)).toBe('string');
  });

  it('say who wins and why, and show the rest by the keyboard', async () => {
    const page = await shows();
    expect(await rowOf(page, 'dsOwnerEmail')).toMatch(/Salesforce wonBoth sides changed it. Rule: newest/);
    const more = button(page, 'Show 15 fields that are the same');
    await more.focus();
    await page.keyboard.press('Enter');
    expect(await rowOf(page, 'name')).toMatch(
      /Wind farm simulation\|VendorWind farm simulation\|The newest change wins/,
    );
    expect(await button(page, 'Hide 15').getAttribute('aria-expanded')).toBe('true');
  });

  it.each([
    ['Take ours', "Keep Salesforce's", ON_DEAL],
    ['Take theirs', "Take the vendor's", ON_SYNC_ROW],
  ])('%s stores the choice %s, once', async (name, choice, at) => {
    const page = await shows({ at });
    await button(page, name).click();
    await page.getByRole('status').filter({ hasText: choice }).waitFor();
    expect(await resolved(page)).toBe(choice);
    expect(await button(page, name).isDisabled()).toBe(true);
    expect(await page.evaluate(`typeof org.rows['${DEAL}'].fields.Lockstep_Sync_Asked__c`)).toBe('string');
  });

  it('show Salesforce’s sentence where it refuses', async () => {
    const page = await shows({ org: demoOrg({ refuses: 'You may not edit this record.' }) });
    await button(page, 'Take ours').click();
    await page.getByRole('alert').filter({ hasText: 'You may not edit this record.' }).waitFor();
    expect(await resolved(page)).toBeNull();
    expect(await button(page, 'Take ours').isEnabled()).toBe(true);
  });

  it('show no value to who may not see it', async () => {
    const page = await shows({ org: demoOrg({ seeValues: false }) });
    expect(await rowOf(page, 'description')).toMatch(/40 turbines.*You may not see this value/);
    const other = await shows({ org: demoOrg({ hidden: ['Description'] }) });
    expect(await rowOf(other, 'description')).not.toContain('turbines');
  });

  it('of all conflicts are chosen in the list, which opens the deal', async () => {
    const page = await shows({ component: 'lockstepConflicts', width: PHONE });
    await button(page, 'Take theirs').click();
    await page.getByRole('status').filter({ hasText: "Wind farm simulation: Take the vendor's" }).waitFor();
    expect(await resolved(page)).toBe("Take the vendor's");
    await page.getByRole('link', { name: 'Wind farm simulation' }).click();
    expect(await page.evaluate('org.shows.attributes.recordId')).toBe(DEAL);
  });
});
