-- Gives a row the reference PREFIX-id where it has none. Argument: the prefix.
CREATE OR REPLACE FUNCTION set_reference() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.reference := coalesce(NEW.reference, TG_ARGV[0] || '-' || NEW.id);
  RETURN NEW;
END $$;
