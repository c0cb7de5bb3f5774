/** The columns from which a user is presented, in order. */
export const COLUMNS = `t.id, t.login, t.first_name, t.last_name, t.nick_name, t.title, t.email, t.phone_number,
  t.mobile_phone_number, t.user_function, t.description, t.locale, t.organization_id,
  o.reference AS organization_reference, o.label AS organization_label, t.manager_id,
  m.login AS manager_reference, m.title AS manager_label, t.status, t.administrator, t.process_engine,
  t.external_id, t.creation_date, t.modification_date,
  (SELECT s.last_login_date FROM sign_ins s WHERE s.user_id = t.id) AS last_login_date`;
export const FROM = `FROM users t LEFT JOIN organizations o ON o.id = t.organization_id LEFT JOIN users m ON m.id = t.manager_id`;
/** A page of users; $1 is the number of rows, $2 the offset. */
export const PAGE = `SELECT ${COLUMNS} ${FROM} ORDER BY t.id LIMIT $1 OFFSET $2`;
/** The options with which the server opens its sessions. */
export const SESSION =
  '-c timezone=UTC -c datestyle=ISO -c jit=off -c max_parallel_workers_per_gather=0 -c work_mem=16MB -c random_page_cost=1.1 -c platform.vendor=platform';
