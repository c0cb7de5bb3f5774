import { endpointState } from '../deliveries/settings/endpoint-state.js';
import { USER_STATUS } from '../security/user-status.js';
import { Misuse, print, type PrintOptions } from './output.js';
import { withReader } from './with-database.js';

interface AbsenceOptions extends PrintOptions {
  user?: string;
  all?: boolean;
}

interface UserOptions extends PrintOptions {
  status?: string;
  group?: string;
  administrators?: boolean;
}

export const listUsers = (options: UserOptions): Promise<void> =>
  withReader(async (reader) => {
    const { status, group, administrators = false } = options;
    const names = Object.keys(USER_STATUS);
    if (status !== undefined && !names.includes(status))
      throw new Misuse(`the status must be one of ${names.join(', ')}`);
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT u.login, u.title, u.email, ($1::text[])[array_position($2::smallint[], u.status)] AS status, u.administrator
        FROM users u
        WHERE ($3::text IS NULL OR u.status = ($2::smallint[])[array_position($1::text[], $3)])
          AND ($4::text IS NULL OR EXISTS (SELECT 1 FROM group_members m JOIN groups g ON g.id = m.group_id
            WHERE m.user_id = u.id AND g.reference = $4))
          AND (u.administrator OR NOT $5) AND NOT u.service
        ORDER BY login_key(u.login)`,
      values: [names, Object.values(USER_STATUS), status ?? null, group ?? null, administrators],
    });
    print(rows, options);
  });

export const listAbsences = ({ user, all = false, ...options }: AbsenceOptions): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT a.reference, u.login AS user, s.login AS substitute, p.reference AS application,
          a.start_date AS "startDate", a.end_date AS "endDate", a.active
        FROM absences a JOIN users u ON u.id = a.user_id JOIN users s ON s.id = a.substitute_id
          LEFT JOIN applications p ON p.id = a.application_id
        WHERE ($1::text IS NULL OR login_key($1) IN (login_key(u.login), login_key(s.login)))
          AND ($2 OR a.end_date > now())
        ORDER BY a.start_date, a.id`,
      values: [user ?? null, all],
    });
    print(rows, options);
  });

export const listSources = (options: PrintOptions): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT s.reference, s.label, u.login AS "serviceAccount",
          (SELECT count(*)::integer FROM tasks t WHERE t.source_id = s.id AND t.status = 'open') AS open
        FROM sources s LEFT JOIN users u ON u.id = s.service_account_id ORDER BY s.reference`,
      values: [],
    });
    print(rows, options);
  });

export const listEndpoints = (options: PrintOptions): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT p.reference, p.mode, p.adapter, p.confirms OR p.adapter IS NOT NULL AS confirms,
          ${endpointState('p')} AS state,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status IN ('waiting', 'leased')) AS waiting,
          (SELECT count(*)::integer FROM deliveries d WHERE d.endpoint_id = p.id AND d.status = 'failed') AS failed,
          h.last_success AS "lastSuccessDate", h.last_failure AS "lastFailureDate", p.url
        FROM endpoints p LEFT JOIN endpoint_health h ON h.endpoint_id = p.id ORDER BY p.reference`,
      values: [],
    });
    print(rows, options);
  });

/** All roles, or those of one person with the place where each holds. */
export const listRoles = ({ user, ...options }: PrintOptions & { user?: string }): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>(
      user === undefined
        ? {
            text: 'SELECT reference, label, permissions, shipped FROM roles ORDER BY id',
            values: [],
          }
        : {
            text: `SELECT r.reference AS role, o.reference AS organization, g.reference AS group, p.reference AS application, r.permissions
              FROM role_assignments a JOIN users u ON u.id = a.user_id JOIN roles r ON r.id = a.role_id
                LEFT JOIN organizations o ON o.id = a.organization_id LEFT JOIN groups g ON g.id = a.group_id
                LEFT JOIN applications p ON p.id = a.application_id
              WHERE login_key(u.login) = login_key($1) ORDER BY r.id, a.id`,
            values: [user],
          },
    );
    print(rows, options);
  });

export const listServiceAccounts = (options: PrintOptions): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT u.login, u.title, ($1::text[])[array_position($2::smallint[], u.status)] AS status,
          u.calls_per_minute AS "callsPerMinute", count(k.id)::integer AS keys, max(k.last_use_date) AS "lastUseDate"
        FROM users u LEFT JOIN api_keys k ON k.user_id = u.id WHERE u.service GROUP BY u.id ORDER BY login_key(u.login)`,
      values: [Object.keys(USER_STATUS), Object.values(USER_STATUS)],
    });
    print(rows, options);
  });

export const listKeys = (login: string, options: PrintOptions): Promise<void> =>
  withReader(async (reader) => {
    const rows = await reader.query<Record<string, unknown>>({
      text: `SELECT k.id::text, k.name, k.prefix, k.expiration, k.addresses, k.permissions, k.last_use_date AS "lastUseDate"
        FROM api_keys k JOIN users u ON u.id = k.user_id WHERE login_key(u.login) = login_key($1) AND u.service ORDER BY k.id`,
      values: [login],
    });
    print(rows, options);
  });
