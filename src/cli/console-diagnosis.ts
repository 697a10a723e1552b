import type { Ledger } from '../ledger/ledger.ts';
import { readNoticesFile } from '../notices/read-notices-file.ts';
import { onlineChecks } from '../operator/doctor/checks.ts';
import { type Diagnosis, examine } from '../operator/doctor/finding.ts';
import { noticesCheck } from '../operator/doctor/notices-check.ts';
import { registryCheck } from '../operator/doctor/registry-check.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { CliContext } from './context.ts';
import { doctorPorts, type Opened, reasonOf } from './doctor-ports.ts';

/**
 * Runs the checks of `lockstep doctor` about one tenant and about the notices to operators, for the console. Leaves out the offline checks
 * (of Node, the tenant files and the sealing key).
 */
export async function diagnose(context: CliContext, ledger: Ledger, tenant: Tenant): Promise<Diagnosis> {
  const opened: Opened[] = [];
  const now = (): string => new Date().toISOString();
  const own = { ledger: async () => ledger, now };
  const served = new Map([[tenant.tenant, tenant]]);
  const ports = doctorPorts(context, { ...own, served }, (part) => void opened.push(part));
  const notices = { ...own, setup: () => readNoticesFile(context.settings().noticesFile) };
  try {
    const checks = [registryCheck(own, tenant.tenant), noticesCheck(notices, [tenant.tenant])];
    return await examine([...checks, ...onlineChecks(ports, tenant)], reasonOf);
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}
