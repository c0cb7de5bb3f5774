-- Derives the array `audience` of objects ({0}: everyone), which queries compare with the caller's principals, from the table
-- of audiences, once a statement. Plain SQL may also move a row from one object to another, or empty the table. Arguments: the
-- table of the objects, and the column with the id of one.
CREATE OR REPLACE FUNCTION derive_audience() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed text := CASE TG_OP
    WHEN 'INSERT' THEN 'SELECT * FROM added'
    WHEN 'DELETE' THEN 'SELECT * FROM removed'
    ELSE 'SELECT * FROM removed UNION ALL SELECT * FROM added' END;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format('UPDATE %I SET audience = ''{0}'' WHERE audience <> ''{0}''', TG_ARGV[0]);
  ELSE
    EXECUTE format(
      'UPDATE %1$I SET audience = coalesce(
        (SELECT array_agg(principal_id ORDER BY principal_id) FROM %2$I WHERE %3$I = %1$I.id), ''{0}'')
      WHERE id IN (SELECT c.%3$I FROM (%4$s) AS c)', TG_ARGV[0], TG_TABLE_NAME, TG_ARGV[1], changed);
  END IF;
  RETURN NULL;
END $$;

SELECT execute_on_changes('application_audiences', 'derive_audience', 'applications', 'application_id');
SELECT execute_on_changes('document_audiences', 'derive_audience', 'documents', 'document_id');
SELECT execute_on_changes('news_audiences', 'derive_audience', 'news', 'news_id');
SELECT execute_on_changes('faq_audiences', 'derive_audience', 'faqs', 'faq_id');
SELECT execute_on_changes('customer_audiences', 'derive_audience', 'customers', 'customer_id');
