import { judge } from '../administration/address-check.controller.js';
import { isAddress } from '../base/config/parse-cidr-list.js';
import { Database } from '../database/database.js';
import { addressNotAllowed } from '../base/errors/api-errors.js';
import { SecurityModule } from '../security/security.module.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { type Server, withServer } from './with-server.js';

export const explainAddress = (address: string | undefined, options: PrintOptions): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    if (address === undefined) {
      const refused = await recentRefusals(server);
      const none = 'no address was refused in the last 24 hours';
      return print(refused, options, refused.length === 0 ? none : undefined);
    }
    if (!isAddress(address)) throw new Misuse(`${address} is not an IPv4 or IPv6 address`);
    const values = await server.get(ParametersService).current();
    const rows = (
      [
        ['callers', 'callerAddresses'],
        ['sysadmin', 'sysadminAddresses'],
      ] as const
    ).map(([rule, name]) => {
      const { allowed, rule: entry } = judge(values[name], address);
      return { rule, address, allowed, admittedBy: entry, list: values.text(name) };
    });
    print(rows, options);
  });

async function recentRefusals({ get }: Server): Promise<Record<string, unknown>[]> {
  const rows = await get(Database).rows({
    text: `SELECT address, sum(count), max(date) FROM audit
      WHERE action = 'refuse' AND reason = $1 AND date > now() - interval '24 hours'
      GROUP BY address ORDER BY max(date) DESC LIMIT 50`,
    values: [reason],
  });
  return rows.map(([address, count, last]) => ({
    address,
    refusals: Number(count),
    last,
    reason,
  }));
}

/** How the audit trail names the refusal of an address. */
const reason = addressNotAllowed().message;
