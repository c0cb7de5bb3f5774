import { endpointState } from '../deliveries/settings/endpoint-state.js';
import { print, type PrintOptions } from './output.js';
import { withReader } from './with-database.js';

interface AbsenceOptions extends PrintOptions {
  user?: string;
  all?: boolean;
}

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
