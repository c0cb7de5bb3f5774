-- Keeps with each rule of absence whether it has an effect, so that visibility is read from indexes.
CREATE OR REPLACE FUNCTION absences_set_active() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  NEW.active := absence_is_active(NEW);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER absences_set_active BEFORE INSERT OR UPDATE ON absences
  FOR EACH ROW EXECUTE FUNCTION absences_set_active();
