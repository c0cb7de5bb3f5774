/** Adds users to the demonstration portal and updates the planner's statistics. */
export async function addUsers(
  query: (text: string) => Promise<unknown>,
  count: number,
): Promise<void> {
  await query(`
    INSERT INTO users (login, first_name, last_name, title, email, phone_number, user_function, status)
    SELECT 'many.' || n, 'First' || n % 977, 'Last' || md5(n::text), 'First' || n % 977 || ' Last' || md5(n::text),
      'many.' || n || '@example.com', '+49 30 ' || n, 'Function ' || n % 31, 1 + n % 3
    FROM generate_series(1, ${count}) n`);
  await query('VACUUM ANALYZE users');
}
