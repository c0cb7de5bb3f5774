-- Keeps the columns by which documents are searched (docs/decisions/0006).
CREATE OR REPLACE FUNCTION set_search_of_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.quick_search := search_text(concat_ws(' ', NEW.title, NEW.description, NEW.file_name, NEW.category, NEW.keywords));
  NEW.search_title := cut_title(fold(NEW.title));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER documents_set_search BEFORE INSERT OR UPDATE ON documents
  FOR EACH ROW EXECUTE FUNCTION set_search_of_documents();
