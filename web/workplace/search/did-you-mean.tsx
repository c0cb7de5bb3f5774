import { useLoad } from '../../api-client/use-load.js';
import { Link } from '../router.js';
import { useLanguage } from '../translations/i18n.js';
import { suggestNames } from './search-sections.js';
import { resultsOf } from './search-text.js';

/** Links to the searches for names near a text that has found nothing; nothing where there are none. */
export function DidYouMean({ text, onFollow }: { text: string; onFollow?: () => void }) {
  const { t } = useLanguage();
  const { value: names = [], isBusy } = useLoad(text, (signal) => suggestNames(text, signal));
  if (isBusy || names.length === 0) return null;
  return (
    <p>
      {t('search.meant')}{' '}
      {names.map((name, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <Link to={resultsOf(name)} onClick={onFollow}>
            {name}
          </Link>
        </span>
      ))}
    </p>
  );
}
