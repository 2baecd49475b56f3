"""Games whose tree no memory holds: counted, evaluated and solved exactly, by walks over all histories."""
