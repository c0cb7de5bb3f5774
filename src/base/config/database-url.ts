/** Scheme with user, hosts, and everything after them. */
const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

/** The values of `target_session_attrs` that ask for a primary. */
const PRIMARY = ['read-write', 'primary'];

/**
 * The URLs of the single hosts of a `DATABASE_URL`, in libpq's form for several:
 * `postgresql://user@one:5432,two:5432/database?target_session_attrs=read-write`. Empty when the text has another form.
 */
export function urlsOfHosts(text: string): string[] {
  const [, before, hosts = '', after] = FORM.exec(text) ?? [];
  if (before === undefined) return [];
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`);
  return urls.every((url) => URL.canParse(url)) ? urls : [];
}

/** Whether a text has the form of a `DATABASE_URL`; one with several hosts must ask for the primary. */
export function isDatabaseUrl(text: string): boolean {
  const urls = urlsOfHosts(text);
  const [wanted = ''] = urls.map((url) => new URL(url).searchParams.get('target_session_attrs'));
  return urls.length === 1 || (urls.length > 1 && PRIMARY.includes(wanted ?? ''));
}

/** Whether a text is a `DATABASE_URL` without a password. */
export function lacksPassword(text = ''): boolean {
  const [url] = urlsOfHosts(text);
  return url !== undefined && new URL(url).password === '';
}

/** Adds a password to a `DATABASE_URL` that has none. */
export function withPassword(text?: string, password?: string): string | undefined {
  if (text === undefined || password === undefined || !lacksPassword(text)) return text;
  return edited(text, (url) => (url.password = encodeURIComponent(password)));
}

/** Adds the parameters of libpq by which the client checks the certificate of the database. */
export function withAuthority(text?: string, file?: string): string | undefined {
  if (text === undefined || file === undefined || urlsOfHosts(text).length === 0) return text;
  return edited(text, ({ searchParams }) => {
    searchParams.set('sslmode', 'verify-full');
    searchParams.set('sslrootcert', file);
  });
}

/** Changes what is common to all hosts. */
function edited(text: string, edit: (url: URL) => void): string {
  const url = new URL(urlsOfHosts(text)[0]!);
  edit(url);
  const [, before, , after] = FORM.exec(url.href)!;
  return `${before}${FORM.exec(text)![2]}${after}`;
}
