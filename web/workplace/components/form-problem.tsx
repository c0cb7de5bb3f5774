import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { asSentence, forPage, type Reason } from '../../server-messages/translate.js';
import { useLanguage } from '../translations/i18n.js';

/** An error of a form, which screen readers announce immediately. */
export function FormProblem({ text }: { text: ReactNode }) {
  return (
    <p role="alert" className="form-problem">
      {text !== undefined && (
        <>
          <CircleAlert aria-hidden /> {text}
        </>
      )}
    </p>
  );
}

/**
 * The server's fault of a field, in the language of the page. A message without a translation is English on a page of
 * any language, and marked as such (WCAG 3.1.2).
 */
export function ServerMessage({ fault }: { fault: Reason }) {
  const { locale, t } = useLanguage();
  const said = forPage(fault, locale);
  if (said !== undefined) return asSentence(said);
  const [before, after] = t('problem.field', { message: '\0' }).split('\0');
  return (
    <>
      {before}
      <span lang="en">{fault.message}</span>
      {after}
    </>
  );
}
