import type { Config } from '../base/config/config.js';
import type { AccountMailKind, Mail } from '../mail/mail.js';
import { contentOf } from '../mail/texts/texts.js';
import type { Branding } from '../security/parameters/branding.js';
import { userUri } from '../security/user-uri.js';

/** The account of a mail. */
export interface Addressee {
  id: string;
  login: string;
  title: string;
  email: string;
  locale: string;
}

/** A mail with a link that opens a page of the workplace with a one-time code in the fragment. */
export function mailTo(
  { id, login, title, email, locale }: Addressee,
  kind: AccountMailKind,
  code: string,
  { env }: Config,
  branding: Branding,
): Mail {
  const { origin, host } = new URL(env.PUBLIC_URL!);
  const address = `${origin}${env.BASE_PATH}/workplace/${kind}#${code}`;
  return {
    to: { name: title, address: email },
    locale,
    content: contentOf(kind, locale, {
      name: title,
      login,
      address,
      place: branding.name || host,
    }),
    branding,
    objectUri: userUri(id),
  };
}
