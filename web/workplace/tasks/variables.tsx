import type { TaskDetailed } from '../../api-client/types.js';
import { VariableValue } from '../../theme/variable-value.js';
import { Details } from '../components/details.js';
import { useLanguage } from '../translations/i18n.js';

/** The process variables of a task, with the engine's labels. */
export function Variables({ variables }: { variables: TaskDetailed['variables'] }) {
  const { t, locale } = useLanguage();
  if (!variables || variables.length === 0) return null;
  const words = { locale, yes: t('yes'), no: t('no') };
  return (
    <section className="card" aria-label={t('task.variables')}>
      <Details
        details={variables.map(({ label, value }) => [
          label,
          <VariableValue key="value" value={value} words={words} />,
        ])}
      />
    </section>
  );
}
