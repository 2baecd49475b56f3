from veil.interop.openspiel.bots import make_bot as make_bot
from veil.interop.openspiel.policies import from_openspiel as from_openspiel, to_openspiel as to_openspiel
from veil.interop.openspiel.registration import register as register
from veil.interop.openspiel.tabulation import load as load
