import './missing';
