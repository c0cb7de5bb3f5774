-- Derives the array `audience` of an object ({0}: everyone), which queries compare with the caller's principals, from the table
-- of audiences. Plain SQL may also move a row from one object to another, or empty the table. Arguments: the table of the
-- objects, and the column with the id of one.
CREATE OR REPLACE FUNCTION derive_audience() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE owners bigint[] := '{}';
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    EXECUTE format('UPDATE %I SET audience = ''{0}'' WHERE audience <> ''{0}''', TG_ARGV[0]);
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN owners := owners || (to_jsonb(OLD) ->> TG_ARGV[1])::bigint; END IF;
  IF TG_OP <> 'DELETE' THEN owners := owners || (to_jsonb(NEW) ->> TG_ARGV[1])::bigint; END IF;
  EXECUTE format(
    'UPDATE %1$I SET audience = coalesce(
      (SELECT array_agg(principal_id ORDER BY principal_id) FROM %2$I WHERE %3$I = %1$I.id), ''{0}'')
    WHERE id = ANY ($1)', TG_ARGV[0], TG_TABLE_NAME, TG_ARGV[1]) USING owners;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER application_audiences_derive AFTER INSERT OR UPDATE OR DELETE ON application_audiences
  FOR EACH ROW EXECUTE FUNCTION derive_audience('applications', 'application_id');
CREATE OR REPLACE TRIGGER application_audiences_empty AFTER TRUNCATE ON application_audiences
  FOR EACH STATEMENT EXECUTE FUNCTION derive_audience('applications', 'application_id');
CREATE OR REPLACE TRIGGER document_audiences_derive AFTER INSERT OR UPDATE OR DELETE ON document_audiences
  FOR EACH ROW EXECUTE FUNCTION derive_audience('documents', 'document_id');
CREATE OR REPLACE TRIGGER document_audiences_empty AFTER TRUNCATE ON document_audiences
  FOR EACH STATEMENT EXECUTE FUNCTION derive_audience('documents', 'document_id');
CREATE OR REPLACE TRIGGER news_audiences_derive AFTER INSERT OR UPDATE OR DELETE ON news_audiences
  FOR EACH ROW EXECUTE FUNCTION derive_audience('news', 'news_id');
CREATE OR REPLACE TRIGGER news_audiences_empty AFTER TRUNCATE ON news_audiences
  FOR EACH STATEMENT EXECUTE FUNCTION derive_audience('news', 'news_id');
CREATE OR REPLACE TRIGGER faq_audiences_derive AFTER INSERT OR UPDATE OR DELETE ON faq_audiences
  FOR EACH ROW EXECUTE FUNCTION derive_audience('faqs', 'faq_id');
CREATE OR REPLACE TRIGGER faq_audiences_empty AFTER TRUNCATE ON faq_audiences
  FOR EACH STATEMENT EXECUTE FUNCTION derive_audience('faqs', 'faq_id');
CREATE OR REPLACE TRIGGER customer_audiences_derive AFTER INSERT OR UPDATE OR DELETE ON customer_audiences
  FOR EACH ROW EXECUTE FUNCTION derive_audience('customers', 'customer_id');
CREATE OR REPLACE TRIGGER customer_audiences_empty AFTER TRUNCATE ON customer_audiences
  FOR EACH STATEMENT EXECUTE FUNCTION derive_audience('customers', 'customer_id');
